"""`python -m ctxcore`: the same engine as the app, for scripts and for CI."""

from ctxcore.cli.main import main

raise SystemExit(main())
