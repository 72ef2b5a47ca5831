"""What ctxcore costs and how well it fills a window, beside the articles' own algorithms and LangChain."""
