// Puts new elements in the place of old ones without taking anything from the reader: the focus stays on the element of the
// same id, and what was unfolded stays unfolded. Elements that say the same stay as they are.

/** The caller's handlers must not depend on what changed, where markup is equal: the old elements stay then. */
export function redraw(place: HTMLElement, nodes: readonly (Node | null)[]): void {
  const next = document.createElement("div");
  next.append(...nodes.filter((node) => node !== null));
  const unfolded = new Set([...place.querySelectorAll("details[open]")].map(({ id }) => id));
  for (const details of next.querySelectorAll("details")) details.open = unfolded.has(details.id);
  if (place.isEqualNode(withChildrenOf(place, next))) return;
  const focused = place.contains(document.activeElement) ? document.activeElement?.id : undefined;
  place.replaceChildren(...next.childNodes);
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

/** The place as it would be, to compare it: a copy with other children. */
function withChildrenOf(place: HTMLElement, { childNodes }: HTMLElement): Node {
  const copy = place.cloneNode(false);
  for (const child of childNodes) copy.appendChild(child.cloneNode(true));
  return copy;
}
