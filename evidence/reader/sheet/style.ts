// The evidence sheet's style: A4, ink on white. The number is at the foot of every page, and so is "page n of m" where
// the browser prints margin boxes (CSS Paged Media 3).

export const SHEET_STYLE = `@page { size: A4; margin: 16mm 18mm 18mm; @bottom-right { content: counter(page) " / " counter(pages); font: 8pt ui-sans-serif, system-ui, sans-serif; } }
.evidence-sheet { max-width: 46rem; margin: 0 auto; color: #111; background: #fff; font: 10pt/1.45 ui-sans-serif, system-ui, sans-serif; border-spacing: 0; width: 100%; }
.evidence-sheet > tbody > tr > td, .evidence-sheet > tfoot > tr > td { padding: 0; }
.evidence-sheet h1, .evidence-sheet h2 { font-family: Georgia, "Times New Roman", serif; font-weight: 600; line-height: 1.2; break-after: avoid; }
.evidence-sheet h1 { font-size: 20pt; margin: 0 0 2pt; }
.evidence-sheet h2 { font-size: 12.5pt; margin: 16pt 0 5pt; padding-top: 6pt; border-top: .5pt solid #bbb; }
.evidence-sheet p { margin: 0 0 5pt; }
.evidence-sheet ul { margin: 0 0 5pt; padding-left: 14pt; }
.evidence-sheet small { display: block; color: #444; font-size: 8.5pt; }
.evidence-sheet code { font: 8.5pt ui-monospace, monospace; overflow-wrap: anywhere; }
.evidence-sheet q { quotes: "“" "”"; font-family: Georgia, serif; }
.evidence-sheet dl { margin: 0; }
.evidence-sheet dl > div { display: grid; grid-template-columns: 11rem 1fr; gap: 8pt; padding: 2.5pt 0; break-inside: avoid; }
.evidence-sheet dt { color: #444; }
.evidence-sheet dd { margin: 0; }
.evidence-sheet .verdict { margin: 10pt 0; padding: 8pt 12pt; border-left: 4pt solid #666; break-inside: avoid; }
.evidence-sheet .verdict strong { font: 600 14pt/1.3 Georgia, "Times New Roman", serif; }
.evidence-sheet .is-holds { border-color: #14532f; }
.evidence-sheet .is-holds_so_far { border-color: #8a6200; }
.evidence-sheet .is-does_not_hold { border-color: #8f1a12; }
.evidence-sheet .turn { break-inside: avoid; padding: 6pt 0; border-top: .5pt solid #ddd; }
.evidence-sheet .checks { width: 100%; border-collapse: collapse; }
.evidence-sheet .checks td, .evidence-sheet .checks th { text-align: left; vertical-align: top; padding: 2.5pt 6pt 2.5pt 0; border-top: .5pt solid #ddd; }
.evidence-sheet .checks tr { break-inside: avoid; }
.evidence-sheet .foot { padding-top: 8pt; font-size: 8pt; color: #444; }
@media screen { body:has(> .evidence-sheet) { margin: 2rem 1rem; background: #fff; } }
`;
