// Der kurze Bericht über eine Prüfung auf Deutsch; siehe summary-en.ts.
import { count } from "../../core/verify/count.ts";
import type { TurnRange } from "../conversations.ts";
import type { SummaryText } from "./summary-en.ts";

const rangeOf = ({ from, to }: TurnRange): string => {
  if (to === null) return `alle Hinweise ab Nummer ${from}`;
  return from === to ? `Hinweis ${from}` : `die Hinweise ${from} bis ${to}`;
};

export const summaryDe: SummaryText = {
  outcome: {
    holds: "hält stand",
    holds_so_far: "hält stand, soweit prüfbar",
    does_not_hold: "hält nicht stand",
    unreadable: "nicht lesbar",
  },
  kind: {
    receipt: "Beleg",
    report: "ergänzter Beleg",
    proof: "Nachweis",
    bundle: "Belege eines Gesprächs",
    seal: "veröffentlichte Wurzel",
  },
  headline: {
    allHold: (all) => `Alle ${all} Dateien halten der technischen Prüfung stand.`,
    allHoldSoFar: (all) => `Alle ${all} Dateien halten stand, soweit sie sich prüfen ließen.`,
    doNotHold: (count, all) =>
      `${count} von ${all} Dateien ${count === 1 ? "hält" : "halten"} der technischen Prüfung nicht stand.`,
    unreadable: (count, all) =>
      `${count} von ${all} Dateien ${count === 1 ? "ließ" : "ließen"} sich nicht lesen.`,
    contradiction: (all) =>
      `Jede der ${all} lesbaren Dateien hält für sich stand, zusammen halten sie nicht stand.`,
  },
  counts: "Insgesamt",
  together: "Alles zusammen",
  pages: (id, first, last, files) =>
    `Gespräch ${id}: Die Hinweise ${first} bis ${last} aus ${files} Dateien folgen lückenlos aufeinander.`,
  failedRows: (more) => `und ${more} weitere; --verbose zeigt alle`,
  metachainUnavailable: (reason) =>
    `Die Liste der veröffentlichten Wurzeln ließ sich nicht lesen, also wurde nicht mit ihr verglichen: ${reason}`,
  restHolds: "Alles, was sich ohne sie prüfen ließ, hält stand.",

  recorded: (turn, conversation, at) =>
    `Hinweis ${turn} ${conversation === null ? "in seinem Gespräch" : `im Gespräch ${conversation}`}, eingetragen am ${at} nach der eigenen Uhr des Dienstes. Der Beleg enthält keine Aufnahme des Gesprächs.`,
  recordedAll: (id, receipts, from, until) =>
    receipts === 1
      ? `1 Beleg aus dem Gespräch ${id}, eingetragen am ${from} nach der eigenen Uhr des Dienstes. Der Beleg enthält keine Aufnahme des Gesprächs.`
      : `${receipts} Belege aus dem Gespräch ${id}, eingetragen zwischen dem ${from} und dem ${until} nach der eigenen Uhr des Dienstes. Die Belege enthalten keine Aufnahme des Gesprächs.`,
  disclosed: (at) => `Der Hinweis wurde am ${at} gegeben, wie der aufrufende Dienst angibt.`,
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

  open: {
    heading: "Nicht geprüft:",
    request: "die Anfrage zu diesem Beleg. Liegt sie Ihnen vor: --request DATEI.",
    pendingRoot:
      "die veröffentlichte Wurzel, denn es gab noch keine, als diese Datei entstand. Einige Minuten später hat der Dienst einen ergänzten Beleg mit dem fehlenden Nachweis: Rufen Sie ihn ab, oder fragen Sie, wer Ihnen diese Datei gab.",
    notCompared:
      "ob die Wurzel die veröffentlichte ist. Zum Vergleichen: --metachain URL, die Adresse des Dienstes oder eines Spiegels.",
    offline: "ob die Wurzel die veröffentlichte ist, denn Sie wollten niemanden fragen (--offline).",
    pendingTimestamp:
      "der Zeitstempel, denn es gab noch keinen, als diese Datei entstand. Ein späterer Beleg hat ihn, oder --metachain findet ihn.",
    noAnchor: "der Zeitstempel, denn es wurde kein Zertifikat dafür verwendet (--tsa-ca none).",
    unknownAuthority:
      "der Zeitstempel. Dieses Programm kennt den Zeitstempeldienst nicht: Beziehen Sie dessen Wurzelzertifikat von ihm, und geben Sie es mit --tsa-ca DATEI an.",
    sealBefore:
      "nach welcher Zeit er eingetragen wurde, denn die frühere Wurzel, die er nennt, liegt dieser Datei nicht bei. Sie gibt es mit --metachain URL oder in einem ergänzten Beleg des Dienstes.",
    layer: (detail) =>
      `ob die Einstufung die ist, die sich aus der Textliste ergibt, die der Beleg nennt. Die Liste gibt es mit --layer DATEI oder --metachain URL (${detail}).`,
    noPolicy:
      "ob die Liste diese Wurzel und ihre Größe digital signiert hat. Ohne das ist die Größe das Wort des Dienstes, und dass alle dieselben Wurzeln sehen, zeigt nur ein Vergleich. Zum Prüfen: --log-key SCHLÜSSEL, oder --policy DATEI mit den Zeugen, denen Sie glauben.",
    noCheckpoint:
      "ob die Liste diese Wurzel und ihre Größe digital signiert hat, denn es liegt kein signierter Kontrollpunkt vor. Vielleicht gibt es keinen; suchen lässt er sich mit --metachain URL oder in einem neueren Beleg.",
    noCheckpointPublished:
      "ob die Liste diese Wurzel und ihre Größe digital signiert hat: Sie hat keinen signierten Kontrollpunkt dazu veröffentlicht.",
    strayLog:
      "ob die Liste diese Wurzel digital signiert hat: Der vorliegende Kontrollpunkt ist der einer anderen Liste als der in Ihrer Richtlinie.",
    noQuorum:
      "ob so viele Zeugen, wie Ihre Richtlinie verlangt, diese Liste gesehen haben: Die Liste hat diese Wurzel und ihre Größe digital signiert, aber zu wenige haben mitgezeichnet.",
    strayAnchor:
      "der Zeitstempel, denn keines der angegebenen Zertifikate ist das seines Zeitstempeldienstes.",
    expired:
      "ob der Zeitstempel noch gilt: Er galt, als er entstand, aber ein Zertifikat dahinter ist seither abgelaufen. Ein neuerer Zeitstempel erneuert ihn; mit --metachain wird einer gesucht.",
  },

  stray: {
    request: (file) =>
      `Die Anfrage ${file} gehört zu keinem dieser Belege. Das spricht nicht gegen sie: Es ist die eines anderen Gesprächs, oder sie wurde geändert.`,
    certificates: (files) =>
      `Die angegebenen Zertifikate (${files}) sind nicht die hinter jedem Zeitstempel hier. Das spricht nicht gegen die Belege: Der Zeitstempel ist von einem anderen Dienst.`,
    coseReceipt: (file) =>
      `Das COSE-Receipt ${file} gilt einer anderen Liste, oder einer anderen Stelle darin, als jeder dieser Belege und wurde deshalb nicht geprüft. Das spricht nicht gegen sie.`,
    layer: (file) =>
      `Die Textliste ${file} ist nicht die, die einer dieser Belege nennt. Das spricht nicht gegen sie: Es ist eine frühere oder spätere Fassung, oder die eines anderen Kunden.`,
    log: "Ihre Richtlinie nennt eine andere Liste als die, zu der diese Belege gehören. Das spricht nicht gegen sie: Sie stammen von einem anderen Dienst, oder die Liste heißt anders.",
  },
  unusedCertificates: (file) =>
    `${file} enthält Zertifikate. Sie lagen in einem Ordner und wurden nicht verwendet: Wenn Sie ihnen vertrauen, geben Sie sie mit --tsa-ca ${file} an.`,
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
  notAll: (id, ranges) =>
    `Das sind nicht alle Belege des Gesprächs ${id}: Es fehlen ${ranges.map(rangeOf).join(", ")}.`,
  moreNotAll: (more) =>
    `Von ${count(more, "weiteren Gespräch", "weiteren Gesprächen")} sind nicht alle Belege hier.`,
  remarks: (count, all) =>
    all === 1
      ? "Der Dienst hat ihn mit Anmerkungen zum Wortlaut eingetragen."
      : `Der Dienst hat ${count} von ${all} Belegen mit Anmerkungen zum Wortlaut eingetragen.`,
};
