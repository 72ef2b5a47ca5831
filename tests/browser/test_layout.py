"""The layout: a block is dragged to try an order, the number follows, and undo takes it back."""

from __future__ import annotations

from ctxcore import Scenario, build

LINK = "/?scenario=competitors&system=compiler&window=8000&view=layout&stage=final-assembler"
LEFT, RIGHT = 46, 14  # pixels beside the blocks, as in the component's script


def test_a_dragged_block_is_a_decision_that_undo_takes_back(visitor):
    trace = build(Scenario.load("ctxcore/scenarios/competitors.json"), system="compiler", window=8_000)
    span = next(span for span in trace.spans if span.item.startswith("doc"))
    visitor.open(LINK)
    canvas = visitor.page.locator(".layout_map canvas.top")

    def at(token: float) -> tuple[float, float]:
        box = canvas.bounding_box()
        inner = box["width"] - LEFT - RIGHT
        return box["x"] + LEFT + inner * token / trace.totals.total, box["y"] + box["height"] - 40

    def drag() -> None:
        mouse = visitor.page.mouse
        mouse.move(*at((span.start + span.end) / 2))
        mouse.down()
        mouse.move(*at(trace.totals.total / 2), steps=4)
        mouse.move(*at(0.8 * trace.totals.total), steps=4)
        mouse.up()

    visitor.until(drag, visitor.page.get_by_text("Your own order"))
    assert "layout-optimizer" in visitor.page.url
    visitor.page.keyboard.press("Control+z")
    visitor.settle()
    visitor.page.get_by_text("Your own order").wait_for(state="detached")


def test_the_best_order_is_applied_and_taken_out_again(visitor):
    visitor.open(LINK)
    visitor.page.get_by_role("button", name="Apply").click()
    visitor.settle()
    visitor.page.get_by_text("Layout optimizer: expected recall").wait_for()
    visitor.page.get_by_role("button", name="Take out").click()
    visitor.settle()
    visitor.page.get_by_role("button", name="Apply").wait_for()
