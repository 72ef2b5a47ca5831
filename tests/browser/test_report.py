"""A report opened from disk: no request, nothing that a user wrote acts, and it can be searched."""

from __future__ import annotations

from playwright.sync_api import expect

from ctxcore.reporting.report import report
from tests.build import built, user, words

ACTS = (
    "<script>window.hit=1</script>",
    '<img src="http://127.0.0.1:9/a.png" onerror="window.hit=1">',
    '<svg onload="window.hit=1"></svg>',
    '<iframe srcdoc="<script>parent.hit=1</script>"></iframe>',
    "</pre></details></script><script>window.hit=1</script>",
    '" autofocus onfocus="window.hit=1',
    "<style>*{display:none}</style><link rel=stylesheet href=http://127.0.0.1:9/a.css>",
    '<meta http-equiv="refresh" content="0;url=http://127.0.0.1:9/">',
)


def test_a_report_of_a_thousand_messages_works_from_disk_and_nothing_in_it_acts(browser, tmp_path):
    messages = [user(f"message {n} {ACTS[n % len(ACTS)]} {words(150)}") for n in range(999)]
    file = tmp_path / "report.html"
    file.write_text(report(built([*messages, user("needle in the haystack")], window=40_000)), encoding="utf-8")
    assert file.stat().st_size < 3_000_000
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        page, asked = context.new_page(), []
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: asked.append(str(error)))
        page.goto(file.as_uri())
        expect(page.locator("#count")).to_have_text("1,000")
        page.fill("#find", "needle in the haystack")
        expect(page.locator("#count")).to_have_text("1")
        row = page.locator("#items > details:not([hidden])")
        row.locator("summary").click()
        expect(row.locator("pre").first).to_contain_text("needle in the haystack")
        page.fill("#find", "onerror")
        expect(page.locator("#count")).to_have_text("125")
        page.locator("#picks button").first.click()
        expect(page.locator("#picks button").first).to_have_attribute("aria-pressed", "true")
        assert page.evaluate("window.hit") is None
        assert asked == [file.as_uri()]
