// An answer that is read page by page. A sender whose pages lead back to one another would keep its reader for ever.

interface Pager<Place extends number | string, Page> {
  readonly first: Place;
  readonly read: (place: Place) => Promise<Page>;
  /** Where the next page begins; null on the last page. */
  readonly nextOf: (page: Page) => Place | null;
  /** Throws. Called with a page that leads back to one before it. */
  readonly refuse: (page: Page) => never;
}

/** Numbers of places must grow; texts must each be new. */
export async function* readPages<Place extends number | string, Page>(
  pager: Pager<Place, Page>,
): AsyncGenerator<Page, void, void> {
  const { first, read, nextOf, refuse } = pager;
  const seen = new Set<Place>();
  for (let place: Place | null = first; place !== null; ) {
    seen.add(place);
    const page: Page = await read(place);
    const next: Place | null = nextOf(page);
    if (next !== null && (typeof first === "number" ? next <= place : seen.has(next))) refuse(page);
    yield page;
    place = next;
  }
}
