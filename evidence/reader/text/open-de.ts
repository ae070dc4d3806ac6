// Deutsch: warum eine Prüfung nicht möglich war, und was hilft.
import type { OpenText } from "./open-en.ts";

export const openDe: OpenText = {
  heading: "Nicht geprüft:",
  pendingRoot:
    "Diese Datei entstand, bevor ihre Wurzel veröffentlicht war. Wenige Minuten später hat der Dienst einen ergänzten Beleg mit dem fehlenden Nachweis: Rufen Sie ihn ab, oder fragen Sie die Stelle, von der Sie diese Datei haben.",
  pendingTimestamp: "Als diese Datei entstand, gab es noch keinen. Ein neuerer Beleg hat ihn.",
  noAnchor: "Es liegt kein Zertifikat eines Zeitstempeldienstes vor, mit dem er sich prüfen ließe.",
  insecure:
    "Browser prüfen Signaturen nur auf Seiten, die über HTTPS oder vom eigenen Gerät kamen. Öffnen Sie die Seite so, um den Zeitstempel zu prüfen.",
  unknownAuthority:
    "Er führt zu keinem der Zeitstempeldienste, die dieses Programm kennt. Beziehen Sie das Wurzelzertifikat von dem Dienst dahinter, und fügen Sie es hinzu.",
  otherCertificate:
    "Das hinzugefügte Zertifikat ist nicht das hinter diesem Zeitstempel; er bleibt deshalb offen.",
  expired:
    "Er war echt, als er entstand, aber ein Zertifikat dahinter ist inzwischen abgelaufen. Ein neuerer Zeitstempel würde ihn erneuern.",
  weak: "Es beruht auf einem Hashverfahren, Schlüssel oder Signaturverfahren, das zu schwach ist und nichts mehr beweist. Dass etwas falsch wäre, zeigt das nicht.",
  beyondVerifier:
    "Es hat eine Form, ein Verfahren, eine Erweiterung oder eine Größe, die dieses Programm nicht beurteilt. Dass etwas falsch wäre, zeigt das nicht: Ein anderes Programm kann es vielleicht prüfen.",
  otherRequest: "Die hinzugefügte Anfrage gehört nicht zu diesem Beleg.",
  otherLog: "Es geht um eine andere Liste als die, die Ihr Schlüssel oder Ihre Richtlinie nennt.",
  otherHistory: "Der vorliegende Verlauf ist der anderer Ketten, oder er nennt keinen Mandanten.",
  tooNew:
    "Die vorliegende Liste oder der vorliegende Verlauf ist älter. Eine neuere Fassung würde es zeigen.",
  turnMissing:
    "Der Verlauf hat einen Hinweis dieses Gesprächs, der hier fehlt. Fragen Sie nach allen; die hier liegen, bleiben bewiesen.",
  noQuorum:
    "Die Liste hat diese Wurzel und ihre Größe digital signiert, aber weniger Zeugen haben mitgezeichnet, als Ihre Richtlinie verlangt.",
  noCheckpointPublished: "Die Liste hat zu dieser Wurzel keinen signierten Kontrollpunkt veröffentlicht.",
  noPolicy:
    "Ob die Liste diese Wurzel mit ihrer Größe digital signiert hat und welche Zeugen sie gesehen haben, wurde nicht geprüft. Ohne das ist die Größe das Wort des Dienstes, und dass alle dieselben Wurzeln sehen, zeigt nur ein Vergleich. Dazu braucht es den Schlüssel der Liste oder eine Richtlinie (C2SP tlog-policy), die auch Ihre Zeugen nennt.",
  saved:
    "Nicht verglichen: Diese gespeicherte Seite verbindet sich mit nichts. Fügen Sie die veröffentlichte Wurzel hinzu, um sie zu vergleichen.",
  offline: "Nicht verglichen, denn es sollte niemand gefragt werden.",
  sample: "Nicht verglichen: Ein Beispiel wird nur mit dem geprüft, was es mitbringt.",
  unavailable: "Nicht verglichen: Die Liste der veröffentlichten Wurzeln ließ sich nicht lesen.",
  enclosedRoot: "Führt zur beiliegenden Wurzel, und bisher allein zu dieser Kopie.",
};
