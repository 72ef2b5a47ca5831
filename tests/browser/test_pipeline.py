"""The pipeline editor in a real browser: reorder, switch off, and the rail follows; also after a refresh."""

from __future__ import annotations

import re


def test_stages_are_moved_and_switched_off_and_stay_so(visitor):
    visitor.open("/pipeline?scenario=support-chat&system=gssc&window=4000")
    visitor.click("pipeline_down_select")
    names = visitor.thing("stage_pick").get_by_role("option")
    shown = [re.match(r"\w+", text)[0] for text in names.all_inner_texts()]
    assert shown == ["gather", "summarize", "select", "construct"]
    visitor.thing("pipeline_on_summarize").locator("label").click()
    visitor.settle()
    for _ in range(2):
        assert ["skipped" in text for text in names.all_inner_texts()] == [False, True, False, False]
        assert visitor.thing("pipeline_changes").get_by_text("2 changes").count() == 1
        visitor.reload()
    visitor.check_sound()
