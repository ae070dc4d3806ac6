// Die Prüfungen in einfachem Deutsch; siehe checks-en.ts.
import type { CheckTexts } from "./check-texts.ts";

export const checksDe: CheckTexts = {
  receipt_format: {
    name: "Form des Belegs",
    holds: "Vollständig und im veröffentlichten Format.",
    broken: "Ein Feld fehlt, wurde in etwas Unzulässiges geändert oder nennt einen anderen Vorgang.",
    open: "Der Beleg selbst liegt nicht vor.",
  },
  event_id: {
    name: "Belegnummer",
    holds: "Die Nummer bezeichnet genau diese Stelle dieser Kette.",
    broken: "Die Nummer gehört zu einer anderen Stelle oder einer anderen Kette.",
    open: "Der Beleg selbst liegt nicht vor.",
  },
  input_hash: {
    name: "Anfrage",
    holds: "Die vorliegende Anfrage ist genau die, zu der der Beleg gehört.",
    broken: "Die Anfrage ist nicht die, zu der der Beleg gehört, oder der Beleg gibt sie anders wieder.",
    open: "Die Anfrage liegt nicht bei. Fügen Sie sie hinzu, um auch sie zu prüfen.",
  },
  output_hash: {
    name: "Ergebnis",
    holds: "Nummer des Hinweises, Einstufung und Wortlaut sind so, wie sie eingetragen wurden.",
    broken: "Nummer des Hinweises, Einstufung oder Wortlaut wurden nachträglich geändert.",
    open: "Der Beleg selbst liegt nicht vor.",
  },
  policy: {
    name: "Einstufung",
    holds: "Neu berechnet aus der Textliste, die der Beleg nennt, ist die Einstufung dieselbe.",
    broken: "Die Textliste, die der Beleg nennt, ergibt eine andere Einstufung.",
    open: "Die Textliste, die der Beleg nennt, liegt nicht vor. Fügen Sie sie hinzu, um die Einstufung nachzurechnen.",
  },
  leaf_hash: {
    name: "Inhalt",
    holds: "Seit dem Eintrag wurde kein einziges Zeichen geändert.",
    broken: "Der Beleg wurde nachträglich geändert, oder der Nachweis gehört zu einem anderen Beleg.",
    open: "Der Beleg selbst liegt nicht vor.",
  },
  links: {
    name: "Verknüpfung mit dem vorigen Beleg",
    holds: "Der Beleg ist mit dem zuvor eingetragenen verknüpft oder der erste seiner Kette.",
    broken: "Der Beleg ist nicht mit dem zuvor eingetragenen verknüpft.",
    open: "Zeigt sich nur zusammen mit dem vorigen Beleg, der nicht beiliegt.",
  },
  event_inclusion: {
    name: "Platz in der Kette",
    holds:
      "Der Pfad führt vom Beleg, an der angegebenen Stelle, zur Wurzel seiner Kette. Dass die Stelle stimmt, zeigt erst der Verlauf der Kette.",
    broken: "Der Pfad vom Beleg ergibt nicht die Wurzel seiner Kette.",
    open: "Es liegt kein Pfad vor.",
  },
  evidence_chain: {
    name: "Neuester Beleg der Kette",
    holds: "Dies ist der neueste Beleg, den der Nachweis umfasst.",
    broken: "Der angegebene neueste Beleg widerspricht dem Nachweis.",
    open: "Nennt einen neueren Beleg, der nicht beiliegt. Für diesen hier nicht nötig.",
  },
  merkle_root: {
    name: "Pfad zur Wurzel",
    holds: "Der Pfad führt lückenlos zur angegebenen Wurzel.",
    broken: "Der Pfad führt nicht zur angegebenen Wurzel.",
    open: "Es liegt kein Pfad vor.",
  },
  published_root: {
    name: "Veröffentlichte Wurzel",
    holds: "Die Wurzel ist die, die in der Liste steht.",
    broken:
      "In der Liste steht an dieser Stelle eine andere Wurzel oder keine: Diese ist nicht echt oder gehört zu einem anderen Dienst als die Liste.",
    open: "Noch nicht mit der Liste der veröffentlichten Wurzeln verglichen.",
  },
  timestamp: {
    name: "Zeitstempel",
    holds: "Ein Zeitstempeldienst hat genau diese Wurzel zur angegebenen Zeit bestätigt.",
    broken: "Der Zeitstempel ist nicht echt, gilt einer anderen Wurzel oder nennt eine unmögliche Zeit.",
    open: "Nicht prüfbar: Es liegt noch keiner bei, oder es fehlt ein Zertifikat des Zeitstempeldienstes.",
  },
  recorded_after: {
    name: "Nicht früher",
    holds:
      "Der Beleg legt sich auf eine frühere veröffentlichte Wurzel mit Zeitstempel fest, wo er eine nennt, und ist also jünger als sie.",
    broken:
      "Der Beleg nennt eine andere Wurzel als diese, eine, die nicht vor seiner eigenen liegt, oder wurde lange vor dem Zeitstempel ausgestellt, auf den er sich festlegt.",
    open: "Nicht prüfbar: Die genannte Wurzel liegt nicht vor, oder es fehlt ein Zertifikat des Zeitstempeldienstes.",
  },
  checkpoint: {
    name: "Signatur der Liste",
    holds:
      "Die Liste hat diese Wurzel samt Größe digital signiert, und so viele Zeugen, wie Ihre Richtlinie verlangt, haben mitgezeichnet.",
    broken:
      "Der Kontrollpunkt gilt einer anderen Wurzel oder Größe als dieser, oder eine Signatur darauf ist nicht echt.",
    open: "Nicht vollständig prüfbar: Zu dieser Wurzel liegt kein signierter Kontrollpunkt vor, er ist der einer anderen Liste als der in Ihrer Richtlinie, oder es haben nicht so viele Zeugen mitgezeichnet, wie Ihre Richtlinie verlangt.",
  },
  cose_receipt: {
    name: "COSE-Receipt",
    holds:
      "Das COSE-Receipt führt von diesem Beleg zu seiner Wurzel, und die Liste hat diese Wurzel digital signiert.",
    broken:
      "Das COSE-Receipt führt zu einer anderen Wurzel als dieser Beleg, oder die Signatur der Liste darauf ist nicht echt.",
    open: "Nicht vollständig prüfbar: Der Schlüssel der Liste fehlt, oder das COSE-Receipt ist das einer anderen Liste als der in Ihrer Richtlinie.",
  },
  one_history: {
    name: "Eine Geschichte",
    holds: "Nirgends steht an derselben Stelle zweierlei.",
    broken:
      "An derselben Stelle der Liste steht zweierlei: Der Dienst hat Verschiedenes ausgegeben, oder eine Datei ist gefälscht.",
    open: "Verschiedene Wurzeln unter derselben Nummer: Sie stammen von zwei Diensten, oder eine ist gefälscht.",
  },
  chain_history: {
    name: "Verlauf der Kette",
    holds: "Der Beleg passt zu diesem Verlauf seiner Kette: Stelle, Größe und Kopf sind die, die er nennt.",
    broken: "Der übergebene Verlauf hat an dieser Stelle etwas anderes: Eines von beiden ist nicht wahr.",
    open: "Der vorliegende Verlauf ist der anderer Ketten, oder er endet vor diesem Beleg.",
  },
  public_heads: {
    name: "Köpfe in der öffentlichen Liste",
    holds:
      "Die öffentliche Liste hat unter dieser Nummer der Kette den Kopf des Belegs, und jeden früheren Kopf des Verlaufs.",
    broken:
      "Die öffentliche Liste hat unter dieser Nummer der Kette einen anderen Kopf oder keinen, oder ihr fehlen Köpfe des Verlaufs.",
    open: "Der Kopf wurde nicht in der öffentlichen Liste gesucht.",
  },
  other_chains: {
    name: "Keine weitere Kette",
    holds: "Bis zu diesem Beleg hat die öffentliche Liste keine weitere Kette dieses Mandanten.",
    broken: "Die öffentliche Liste hat eine Kette dieses Mandanten, die der Verlauf auslässt.",
    open: "Die öffentliche Liste wurde nicht bis zu diesem Beleg gelesen.",
  },
  whole: {
    name: "Ganzes Gespräch",
    holds: "So weit der Verlauf reicht, fehlt hier kein Hinweis des Gesprächs.",
    broken:
      "Ein Beleg ist nicht so, wie das Format es vorsieht: Über Hinweise danach lässt sich nichts sagen.",
    open: "Ob Hinweise fehlen, wurde nicht geprüft: Dazu braucht es den Verlauf des Mandanten und die öffentliche Liste, beide so neu wie der letzte Hinweis.",
  },
  tenant: {
    name: "Mandant",
    holds: "Die Kette ist eine des Mandanten mit diesem Fingerabdruck.",
    broken: "Die Kette oder ihr Verlauf gehört zu einem anderen Mandanten.",
    open: "Der Verlauf sagt nicht, zu welchem Anker seine Ketten gehören.",
  },
  chain_links: {
    name: "Glieder der Kette",
    holds: "Jeder Beleg, der hier auf einen anderen folgt, ist mit ihm verknüpft.",
    broken: "Ein Beleg ist nicht mit dem vorigen verknüpft: Etwas wurde geändert, entfernt oder umgestellt.",
    open: "Die Belege ließen sich nicht vergleichen.",
  },
  turn_links: {
    name: "Reihenfolge des Gesprächs",
    holds: "Die Hinweise folgen lückenlos aufeinander.",
    broken: "Ein Hinweis fehlt, steht an falscher Stelle oder ist nicht mit dem vorigen verknüpft.",
    open: "Die Hinweise ließen sich nicht vergleichen.",
  },
  chain_consistency: {
    name: "Wachstum der Kette",
    holds: "Jeder veröffentlichte Kopf der Kette setzt den vorigen fort: Dazwischen wurde nichts geändert.",
    broken:
      "Ein veröffentlichter Kopf der Kette setzt den vorigen nicht fort: Von ihrem Anfang gibt es zwei Fassungen.",
    open: "Der Weg von einem veröffentlichten Kopf der Kette zum nächsten liegt nicht bei. Fordern Sie die Belege des Gesprächs neu an.",
  },
  interaction: {
    name: "Ein Gespräch",
    holds: "Jede vorliegende Anfrage gehört zu diesem Gespräch.",
    broken: "Eine Anfrage gehört zu einem anderen Gespräch.",
    open: "Die Anfragen liegen nicht vor (gelöscht oder entfernt). Ihre Hashwerte bleiben, alles Übrige lässt sich weiterhin prüfen.",
  },
  published_seals: {
    name: "Veröffentlichte Wurzeln",
    holds: "Die beiliegenden Wurzeln sind die veröffentlichten.",
    broken:
      "Eine beiliegende Wurzel ist nicht die veröffentlichte: Sie ist nicht echt oder gehört zu einem anderen Dienst als die Liste.",
    open: "Noch nicht mit der Liste der veröffentlichten Wurzeln verglichen.",
  },
  previous_seal: {
    name: "Vorige Wurzel",
    holds: "Folgt auf die vorige veröffentlichte Wurzel oder ist die erste.",
    broken: "Folgt nicht auf die vorige veröffentlichte Wurzel.",
    open: "Die vorige Wurzel liegt nicht bei. Hier nicht nötig.",
  },
  consistency: {
    name: "Nichts entfernt",
    holds: "Diese Wurzel enthält alles, was die enthielt, die sie als vorige nennt. Die erste nennt keine.",
    broken: "Etwas, das die vorige Wurzel enthielt, fehlt oder wurde geändert.",
    open: "Die Wurzeln ließen sich nicht vergleichen.",
  },
  additional_timestamps: {
    name: "Weitere Zeitstempel",
    holds: "Alle weiteren Zeitstempel gelten, soweit vorhanden.",
    broken: "Ein weiterer Zeitstempel hält der Prüfung nicht stand.",
    open: "Weitere Zeitstempel ließen sich nicht prüfen.",
  },
};
