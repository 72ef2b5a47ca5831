// Streamlit's shortcuts listen at the document, also while somebody types: undo there is the field's own.

const TYPED = new Set(["text", "search", "number", "email", "url", "password", ""]);

function typesInto(target) {
  if (target instanceof HTMLTextAreaElement || target?.isContentEditable) return true;
  return target instanceof HTMLInputElement && TYPED.has(target.getAttribute("type") || "");
}

function guard(event) {
  const undoes = (event.ctrlKey || event.metaKey) && ["z", "y"].includes(event.key.toLowerCase());
  if (undoes && typesInto(event.composedPath()[0])) event.stopPropagation();
}

export default function ({ parentElement }) {
  remember(parentElement, () => {
    if (!window.ctxcoreGuardsKeys) window.addEventListener("keydown", guard, true);
    window.ctxcoreGuardsKeys = true;
    return {};
  });
}
