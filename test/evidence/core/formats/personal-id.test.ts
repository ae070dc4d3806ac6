// Ids that look like numbers and addresses of people are found, and those that programs make are left alone.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { interactionIdSchema } from "../../../../evidence/core/formats/attestation-request.ts";
import { personalIdKind } from "../../../../evidence/core/formats/personal-id.ts";

describe("a warning is due for", () => {
  test.each([
    "+491701234567",
    "+49-170-1234567",
    "+1.555.123.4567",
    "call-+491701234567",
    "tel:+491701234567",
    "tel:1701234567",
    "whatsapp:+14155238886",
    "00491701234567",
    "01701234567",
    "0170-1234567",
    "0170/1234567",
    "030/123456",
    "call-0170-1234567",
    "555-123-4567",
    "2026-11-22_+491701234567",
    "+12345678_a",
    "+12345678_1",
    "+12345678-a",
    "call:tel:1701234567",
    "call:0170-1234567",
    "session_01701234567",
    "0049-170-1234567",
    "0170-123-4567",
    "01701-12345678",
    "1-555-123-4567",
  ])("the telephone number in %s", (id) => {
    expect(interactionIdSchema.safeParse(id).success).toBe(true);
    expect(personalIdKind(id)).toBe("a telephone number");
  });

  test.each([
    "jo@example.com",
    "jo.doe+calls@mail.example.co.uk",
    "mailto:jo@example.com",
    "chat/jo@example.com",
    "jo@example.com;turn=1",
    "491701234567@s.whatsapp.net",
    "adele@example.com",
    "facebeef@example.com",
    "1234567abzz@example.com",
    "zz1234567ab@example.com",
    "chat/j@example.de",
    "mailto:j@example.de",
    "jo@example.de;turn=1",
  ])("the e-mail address in %s", (id) => {
    expect(interactionIdSchema.safeParse(id).success).toBe(true);
    expect(personalIdKind(id)).toBe("an e-mail address");
  });

  test.each(["sip:jo@pbx", "sips:1001@pbx.example.com", "call:sip:jo@10.0.0.1"])(
    "the SIP address %s",
    (id) => {
      expect(interactionIdSchema.safeParse(id).success).toBe(true);
      expect(personalIdKind(id)).toBe("a SIP address");
    },
  );

  test("every E.164 number, however it is grouped", () => {
    const digits = fc.stringMatching(/^[1-9]\d{7,14}$/);
    const separators = fc.array(fc.constantFrom("", "", "-", ".", "/"), { minLength: 14, maxLength: 14 });
    fc.assert(
      fc.property(
        digits,
        separators,
        fc.constantFrom("", "call-", "wa:", "tel:"),
        (number, between, front) => {
          const grouped = [...number]
            .map((digit, i) => digit + (i < number.length - 1 ? between[i] : ""))
            .join("");
          expect(personalIdKind(`${front}+${grouped}`)).toBe("a telephone number");
        },
      ),
    );
  });
});

describe("no warning is due for", () => {
  test.each([
    "call-1",
    "call:2026-11-21.1",
    "call-2026-000117",
    "2026-11-22",
    "22-11-2026",
    "2026-11-22T19:21:46Z",
    "2026-11-22T19:21:46.285+00:00",
    "2026-11-22T19:21:46+0100",
    "20261122T192146Z",
    "1732303306123",
    "00000042",
    "0000123456",
    "000000123456",
    "0815-4711",
    "10.0.0.1:8080",
    "192.168.100.200",
    "f81d4fae-7dec-11d0-a765-00a0c91e6bf6@foo.bar.com",
    "a84b4c76e66710@pc33.atlanta.com",
    "deadbeef01@pc33.atlanta.com",
    "sip:f81d4fae-7dec-11d0-a765-00a0c91e6bf6@pbx",
    "tel:58e1d4fa-7dec-11d0-a765-00a0c91e6bf6",
    "hotel:7",
    "100491701234567",
    "0049170123456789012",
    "0170-1234567x",
    "0170-12-34567",
    "01701-1234567890",
    "01701234567890",
    "9555-123-4567",
    "555-123-45678",
    "0a-170-1234567",
    "1234567890@10.0.0.1",
    "agents/reception@example",
    "room/RM_abc",
    "MBCH+12345678ab",
    "v1.2.3-45",
    "sipping-call-1",
    "telephone-7",
    "",
  ])("%s", (id) => {
    expect(personalIdKind(id)).toBeNull();
  });

  const front = fc.constantFrom("", "call-", "call:", "chat/", "session_", "room.");

  test("any UUID", () => {
    fc.assert(
      fc.property(front, fc.uuid(), (name, uuid) => {
        expect(personalIdKind(name + uuid)).toBeNull();
      }),
    );
  });

  test("any hexadecimal id of 16 digits and more", () => {
    const hex = fc.stringMatching(/^[0-9a-f]{16,64}$/);
    fc.assert(
      fc.property(front, hex, (name, id) => {
        expect(personalIdKind(name + id)).toBeNull();
      }),
    );
  });

  test("any plain counter, padded to eight digits at most or not at all", () => {
    fc.assert(
      fc.property(front, fc.nat(), fc.integer({ min: 0, max: 8 }), (name, n, width) => {
        expect(personalIdKind(name + String(n).padStart(width, "0"))).toBeNull();
      }),
    );
  });

  test("any date, time or milliseconds since the epoch", () => {
    const dates = fc.date({ min: new Date(0), max: new Date("2099-12-31"), noInvalidDate: true });
    fc.assert(
      fc.property(front, dates, (name, date) => {
        const iso = date.toISOString();
        for (const id of [iso, iso.slice(0, 10), iso.replaceAll(/[-:]/g, ""), String(date.getTime())])
          expect(personalIdKind(name + id)).toBeNull();
      }),
    );
  });
});
