// Der kurze Bericht über eine Prüfung auf Deutsch; siehe summary-en.ts.
import type { SummaryText } from "./summary-en.ts";

export const summaryDe: SummaryText = {
  counts: "Insgesamt",
  failedRows: (more) => `und ${more} weitere; --verbose zeigt alle`,
  metachainUnavailable: (reason) =>
    `Die Liste der veröffentlichten Wurzeln ließ sich nicht lesen, also wurde nicht mit ihr verglichen: ${reason}`,

  recorded: (turn, conversation, at) =>
    `Hinweis ${turn} ${conversation === null ? "in seinem Gespräch" : `im Gespräch ${conversation}`}, eingetragen am ${at} nach der eigenen Uhr des Dienstes. Der Beleg enthält keine Aufnahme des Gesprächs.`,
  recordedAll: (id, receipts, from, until) =>
    receipts === 1
      ? `1 Beleg aus dem Gespräch ${id}, eingetragen am ${from} nach der eigenen Uhr des Dienstes. Der Beleg enthält keine Aufnahme des Gesprächs.`
      : `${receipts} Belege aus dem Gespräch ${id}, eingetragen zwischen dem ${from} und dem ${until} nach der eigenen Uhr des Dienstes. Die Belege enthalten keine Aufnahme des Gesprächs.`,
  existed: (at, authority) => `Lag vor spätestens am ${at}, bestätigt vom Zeitstempeldienst ${authority}.`,
  existedOnce: (at, authority, until) =>
    `Lag vor spätestens am ${at}, bestätigt vom Zeitstempeldienst ${authority}; das Zertifikat dahinter lief am ${until} ab.`,
  existedAll: (at, authority) =>
    `Alle lagen vor spätestens am ${at}; die letzte Bestätigung ist die des Zeitstempeldienstes ${authority}.`,
  existedSome: (count, all) =>
    `Für ${count} von ${all} bestätigt ein Zeitstempeldienst, wann sie spätestens vorlagen; für die übrigen ist keine Zeit belegt.`,
  timeUnproven: "Die Bestätigung eines Zeitstempeldienstes wurde nicht geprüft, also ist keine Zeit belegt.",
  sealed: (index, entries, at) =>
    `Die veröffentlichte Wurzel Nr. ${index} umfasst ${entries} ${entries === 1 ? "Eintrag" : "Einträge"}. Gebildet am ${at} nach der eigenen Uhr des Dienstes.`,
  how: (method, modality) => `Art: ${method}, ${modality}.`,
  wording: (assessment, jurisdiction, version) =>
    `Einstufung durch den Dienst: ${assessment} (Regeln für ${jurisdiction}, Fassung ${version}).`,
  recomputed:
    "Neu berechnet aus der Textliste, die der Beleg nennt: Wortlaut, Anmerkungen und Einstufung sind dieselben.",
  recomputedAll: (count, all) =>
    `Bei ${count} von ${all} wurde die Einstufung aus der Textliste, die der Beleg nennt, neu berechnet: Sie ist dieselbe.`,
  text: (id, text) => `Wortlaut ${id}: „${text}“`,
  ownText: (id, approvedBy, digest) =>
    `Wortlaut ${id}: ein eigener eines Kunden des Dienstes, nach dessen Angabe freigegeben von: ${approvedBy}. Die Liste enthält nur seinen Hashwert, ${digest}.`,
  filled: (id, text) => `Nach seiner Angabe ist er der Wortlaut ${id} mit ausgefüllter Lücke: „${text}“`,
  unknownText: (digest) =>
    `Der Beleg nennt den Wortlaut nur als Hashwert: ${digest}. Liegt Ihnen der Text vor, vergleicht ihn --wording TEXT.`,
  wordings: (approved, all) => `Bei ${approved} von ${all} steht der Wortlaut in der Liste des Dienstes.`,
  anchor: (subject, fingerprint, file) =>
    `Der Zeitstempel beruht auf dem Zertifikat ${subject}, ${file === null ? "das mit diesem Programm kommt" : `aus ${file}`}; Fingerabdruck ${fingerprint}.`,
  limit:
    "Ein Beleg zeigt, was eingetragen wurde. Ob es jemand gehört oder gelesen hat, zeigt er nicht; ob der Hinweis rechtlich genügt, wird hier nicht geprüft.",

  compared: {
    isAttested: "Der Text ist der, der eingetragen wurde.",
    isAttestedIn: (places) => `Der Text ist der, der hier eingetragen wurde: ${places}.`,
    isNotAttested:
      "Der Text ist nicht der, der eingetragen wurde. Jedes Zeichen zählt, auch Groß- und Kleinschreibung, Leerzeichen und Satzzeichen.",
    isFilled: (places) =>
      `Der Text ist ein eingetragener Wortlaut mit ausgefüllter Lücke: ${places}. Die Belege nennen den Wortlaut mit der Lücke, und so soll es sein: Der Hashwert enthält keinen Namen.`,
    nothing: "Der Text wurde nicht verglichen: Hier ist kein Beleg, der standhält.",
  },
  turn: (turn) => `Hinweis ${turn}`,
};
