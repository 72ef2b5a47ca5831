"""What a shorter text kept, lost, added and turned around: facts by pattern, in English and Chinese, no model."""
