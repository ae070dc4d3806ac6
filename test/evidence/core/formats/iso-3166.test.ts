import { expect, test } from "vitest";
import { COUNTRY_CODES, isCountryCode } from "../../../../evidence/core/formats/iso-3166.ts";

test("there are 249 codes, each two upper-case letters, sorted and without repeats", () => {
  expect(COUNTRY_CODES).toHaveLength(249);
  expect(COUNTRY_CODES).toEqual([...new Set(COUNTRY_CODES)].sort());
  expect(COUNTRY_CODES.filter((code) => !/^[A-Z]{2}$/.test(code))).toEqual([]);
});

test("the member states of the European Union are all countries", () => {
  const members = "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split(
    " ",
  );
  expect(members).toHaveLength(27);
  expect(members.filter((code) => !isCountryCode(code))).toEqual([]);
});

test("reserved, user-assigned, withdrawn and misspelt codes are no countries", () => {
  for (const code of ["EU", "UK", "EL", "XK", "AN", "ZZ", "de", "D", "DEU", "", "DE "]) {
    expect(isCountryCode(code), code).toBe(false);
  }
});
