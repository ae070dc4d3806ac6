// Die Wörter der Ausdrucke auf Deutsch: des Prüfblatts und einer Abrechnung.
import type { paperEn } from "./en-paper.ts";

export const paperDe: typeof paperEn = {
  sheet: {
    heading: "Prüfblatt",
    lead: "Dieses Blatt hält fest, was ein Programm beim Prüfen von Belegen gefunden hat. Wer die unten genannten Dateien hat, kann die Prüfung wiederholen.",
    receiptTitle: (number) => `Beleg ${number}`,
    conversationTitle: (name) => `Gespräch ${name}`,
    subject: "Gegenstand",
    fromRequest: "aus der Anfrage, deren Hash im Beleg steht",
    unknown: "nicht bekannt: eine passende Anfrage liegt nicht vor",
    erasure: "Löschung",
    service: "Veröffentlichte Wurzeln gelesen von",
    noService: "nirgends: mit den veröffentlichten Wurzeln wurde nichts verglichen",
    program: "Programm",
    layer: "Textliste",
    limits: "Was dieses Blatt nicht zeigt",
  },

  bill: {
    heading: "Abrechnung eingetragener Hinweise",
    lead: "Diese Seite ist aus einer Abrechnung gemacht, die sich selbst belegt: Belege an beiden Enden des Monats zeigen, wie weit jede Kette in ihm gewachsen ist. Wer die Datei der Abrechnung hat, kann die Prüfung wiederholen.",
    title: (month, tenant) => `Abrechnung ${month}, ${tenant}`,
    tenant: "Kunde",
    fingerprint: "Fingerabdruck",
    month: "Monat (UTC)",
    status: "Stand",
    statuses: { open: "offen: sie kann noch wachsen", final: "endgültig" },
    madeAt: "Erstellt",
    asOf: "Stand der veröffentlichten Wurzel",
    noSeal: "keine: Es war noch nichts veröffentlicht",
    plan: "Tarif",
    file: "Datei",
    outcomes: {
      holds: "Die Abrechnung stimmt",
      holds_so_far: "Die Abrechnung stimmt, soweit sie geprüft werden konnte",
      does_not_hold: "Die Abrechnung stimmt nicht",
      unreadable: "Die Abrechnung konnte nicht geprüft werden: Die öffentliche Liste war nicht zu lesen",
    },
    lines: "Belege nach Ketten",
    lineColumns: ["Kette", "Von", "Bis vor", "Belege"],
    total: "Summe",
    amount: "Betrag",
    amountColumns: ["Posten", "Belege", "Preis für 1.000", "Betrag"],
    base: "Grundpreis des Monats",
    tier: (number) => `Staffel ${number}`,
    sum: "Summe ohne Steuer, einmal gerundet",
    noPrice: "Der Tarif hat keinen Preis: Die Abrechnung zählt und verlangt nichts.",
    checks: "Was geprüft wurde",
    chain: (shard) => `Kette ${shard}`,
    stated: "Angegeben, nicht belegt",
    statedPoints: {
      price:
        "Der Preis: dass dies die vereinbarten Preise sind. Dass der Betrag aus ihnen folgt, wurde nachgerechnet.",
      names:
        "Die Namen des Kunden und des Tarifs. Was die Ketten an den Kunden bindet, ist der Fingerabdruck.",
      receipts:
        "Dass jeder gezählte Beleg zu einem Aufruf dieses Kunden eingetragen wurde und die zwischen dem ersten und dem letzten eines Monats ein Datum aus ihm tragen. Wer die Belege seiner Aufrufe aufbewahrt, kann vergleichen: Die Abrechnung sagt, welche Nummern sie zählt.",
      made_at:
        "Wann die Abrechnung erstellt wurde, zwischen den beiden Wurzeln, die davor und danach liegen.",
      unsealed:
        "Dass kein Beleg des Monats noch auf seine Veröffentlichung wartete, als die Abrechnung endgültig wurde.",
      before:
        "Dass die Belege früherer Monate dort enden, wo die Abrechnung einer Kette beginnt: Der Beleg davor liegt nicht bei, weil er nach Ablauf seiner Frist gelöscht wurde.",
      published:
        "Dass die Wurzeln die sind, die alle sehen: Sie wurden nicht mit der öffentlichen Liste verglichen.",
      newest:
        "Dass die Abrechnung bis zu den neuesten veröffentlichten Belegen zählt: In der öffentlichen Liste wurde nicht nach neueren gesucht.",
      sizes:
        "Die Größen: dass eine Kette vor jedem Ende so viele Belege hat, wie die Abrechnung sagt. Mit dem Verlauf der Ketten (--history) werden sie gezählt.",
      chains:
        "Dass es keine weitere Kette dieses Kunden gibt: Mit einem Verlauf, der mit dem Anker abgerufen wurde, zeigt es die öffentliche Liste.",
    },
    checkTexts: {
      lines: [
        "Summe",
        "Die Abrechnung ist vollständig, hat jede Kette einmal, und ihre Anzahl ist die ihrer Ketten.",
      ],
      status: [
        "Offen oder endgültig",
        "Eine endgültige Abrechnung entstand nach dem Abschluss ihres Monats.",
      ],
      amount: ["Betrag", "Der Betrag ist, was die Belege nach den Preisen der Abrechnung kosten."],
      as_of: [
        "Neueste Wurzel",
        "Die Abrechnung gibt den Stand der damals neuesten veröffentlichten Wurzel wieder.",
      ],
      all_chains: ["Alle Ketten", "Jede Kette des Verlaufs, die Belege hat, ist abgerechnet."],
      tenant: ["Kunde", "Die Ketten sind die des Kunden mit diesem Fingerabdruck."],
      other_chains: [
        "Keine weitere Kette",
        "In der öffentlichen Liste steht keine weitere Kette dieses Kunden.",
      ],
      span: [
        "Anzahl",
        "Anfang, Ende und Anzahl passen zueinander, und die Belege an beiden Enden liegen bei.",
      ],
      billed_receipts: ["Belege an den Enden", "Jeder ist unverändert und steht an seinem Platz der Kette."],
      month_ends: ["Monat", "Der erste und der letzte Beleg sind aus dem Monat, ihre Nachbarn nicht."],
      chain_heads: [
        "Köpfe der Kette",
        "Beide Köpfe führen zu ihren Wurzeln, und der spätere setzt den früheren fort.",
      ],
      published_heads: ["Veröffentlichte Wurzeln", "Die Wurzeln sind die der öffentlichen Liste."],
      public_heads: [
        "Köpfe in der öffentlichen Liste",
        "Beide Köpfe sind die der Kette, und nach dem letzten Beleg kommt kein veröffentlichter dieses Monats.",
      ],
      chain_history: [
        "Verlauf der Kette",
        "Die Köpfe sind die des Verlaufs, mit so vielen Blatt-Hashes, wie die Abrechnung sagt.",
      ],
    },
  },
};
