// What the agents of these tests say.

/** Whom they speak for. The name is said, and must get nowhere. */
export const OPERATOR = "Praxis Doktor Geheimrat";

/** Who talks with them. */
export const CALLER = "Amalie Geheim";

/** What the sound of their voices is made of. Its length is a multiple of three, so that base64 repeats it, too. */
const SOUND = "Tonaufnahme.";
export const soundOf = (bytes: number): Buffer => Buffer.alloc(bytes, SOUND);

/** None of this may be in a byte that is kept or printed. */
export const SECRETS = [CALLER, "Geheim", OPERATOR, SOUND, Buffer.from(SOUND).toString("base64")];

export const VOICE = {
  introduction: "de-voice-in-introduction-1",
  repeat: "de-voice-repeat-1",
  reminder: "de-voice-reminder-3",
  handoff: "de-voice-handoff-ai-1",
} as const;

export const CHAT = { introduction: "de-chat-label-1" } as const;
