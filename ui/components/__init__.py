"""The drawn components of the app: canvas and element views that follow a slider at once.

Each takes plain rows and a `Mount`, and returns the id that the reader picked just now, or None.
"""

from ui.components.chart_picture import chart_picture
from ui.components.diff_view import diff_view
from ui.components.drawn import Mount, component_words
from ui.components.flip_list import FlipRow, flip_list
from ui.components.flow import Moving, flow
from ui.components.item_list import ItemRow, excerpt, item_list
from ui.components.keys import keys
from ui.components.layout_map import Block, Marks, Recall, layout_map
from ui.components.marked_text import Marked, marked_text
from ui.components.prompt_view import Message, Span, prompt_view
from ui.components.rail import RailStage, rail
from ui.components.treemap import Tile, Window, room_tiles, treemap
from ui.components.window_bar import Segment, window_bar

__all__ = [
    "Block",
    "FlipRow",
    "ItemRow",
    "Marked",
    "Marks",
    "Message",
    "Mount",
    "Moving",
    "RailStage",
    "Recall",
    "Segment",
    "Span",
    "Tile",
    "Window",
    "chart_picture",
    "component_words",
    "diff_view",
    "excerpt",
    "flip_list",
    "flow",
    "item_list",
    "keys",
    "layout_map",
    "marked_text",
    "prompt_view",
    "rail",
    "room_tiles",
    "treemap",
    "window_bar",
]
