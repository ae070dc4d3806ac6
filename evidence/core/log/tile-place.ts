// The place of a tile as C2SP tlog-tiles writes it in a path: `x001/067`, or of a partial tile `x001/067.p/12`.
import { type EntryBundle, formatTilePlace, TILE_WIDTH } from "./tiles.ts";

/** Groups of three digits, all but the last behind an `x`; a partial tile says how many hashes are in it. */
const PLACE = /^((?:x\d{3}\/){0,5}\d{3})(?:\.p\/([1-9]\d{0,2}))?$/;

/** Null where the text is not the one spelling of a place. */
export function parseTilePlace(text: string): EntryBundle | null {
  const [, digits = "", width] = PLACE.exec(text) ?? [];
  const place = {
    index: Number(digits.replaceAll(/\D/g, "")),
    width: width === undefined ? TILE_WIDTH : Number(width),
  };
  const isPlace = Number.isSafeInteger(place.index) && place.width <= TILE_WIDTH;
  return isPlace && formatTilePlace(place) === text ? place : null;
}
