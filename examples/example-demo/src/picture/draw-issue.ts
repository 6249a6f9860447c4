import { fileURLToPath } from 'node:url';
import {
  type CommentSection,
  compareLines,
  findSame,
  isPlan,
  stepOf,
  wrapLine,
} from '@agent/simulators/demo/parts';
import type { RecordedIssue } from './record-issue.ts';

/** The picture of the README. */
export const pictureFile = fileURLToPath(
  new URL('../../../../docs/pictures/issue-comment.svg', import.meta.url),
);

/** A line of text in a card. */
interface Row {
  readonly text: string;
  readonly style: 'text' | 'heading' | 'added' | 'removed';
}

interface Card {
  readonly author: string;
  readonly label?: string;
  readonly note: string;
  readonly rows: readonly Row[];
  /** Reactions below the text. */
  readonly reactions?: string;
}

const [columnWidth, gap, lineHeight, padding] = [466, 28, 20, 14];
const headerHeight = 36;
/** Characters of a line that fit into a column in any common font. */
const columnCharacters = 58;

/** Draws the comments on the issue as an SVG for light and dark pages. */
export function drawIssue(recorded: RecordedIssue): string {
  const [plan, objection, change, report] = toCards(recorded);
  const left = drawColumn(padding, [
    ['1. The agent posts its plan', plan],
    ['2. A user objects. 👀 means that the agent received it', objection],
  ]);
  const right = drawColumn(padding + columnWidth + gap, [
    ['3. The agent edits its comment: the plan has changed', change],
    ['4. The agent opens a draft pull request', report],
  ]);
  const [width, height] = [2 * (columnWidth + padding) + gap, Math.max(left.height, right.height) + padding];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="A comment changes the plan of the agent on a GitHub issue">
${style}
<rect class="page" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10"/>
${left.svg}
${right.svg}
</svg>
`;
}

function toCards(recorded: RecordedIssue): readonly [Card, Card, Card, Card] {
  const { agent, user, before, comment, isSeen, after, report } = recorded;
  const byAgent = { author: agent, label: 'bot', note: 'commented' };
  const offer = before.find(({ lines }) => lines.some((line) => line.includes('/reject')));
  const isShown = (section: CommentSection) => isPlan(section) || section.heading === offer?.heading;
  return [
    {
      ...byAgent,
      rows: [...showHead(before), ...before.filter(isShown).flatMap(showSection)],
    },
    {
      ...{ author: user, note: 'commented', rows: toRows(comment.split('\n'), 'text') },
      reactions: isSeen ? '👀 1' : '',
    },
    {
      ...{ ...byAgent, note: 'commented • edited' },
      rows: [
        ...showHead(after),
        ...after.filter(isShown).flatMap((section) => showChange(section, findSame(section, before))),
      ],
    },
    { ...byAgent, rows: showSection(report) },
  ];
}

/** What the agent is doing, and how to steer it. */
function showHead([head]: readonly CommentSection[]): Row[] {
  return toRows(head?.lines.slice(0, 2) ?? [], 'text');
}

function showSection(section: CommentSection): Row[] {
  return [...toRows([section.heading], 'heading'), ...toRows(listShown(section), 'text')];
}

/** A section with what the edit added; of a plan also with the steps that it removed. */
function showChange(section: CommentSection, before: CommentSection | undefined): Row[] {
  const styles = { '│': 'text', '+': 'added', '-': 'removed' } as const;
  const compared = compareLines(before === undefined ? [] : listShown(before), listShown(section));
  const shown = isPlan(section) ? compared : compared.filter(({ mark }) => mark !== '-');
  return [
    ...toRows([section.heading], 'heading'),
    ...shown.flatMap(({ mark, text }) =>
      toRows([text], isPlan(section) && stepOf(text) === null ? 'text' : styles[mark]),
    ),
  ];
}

/** All lines of a section; of a plan those up to its last step. */
function listShown({ lines }: CommentSection): readonly string[] {
  const lastStep = lines.findLastIndex((line) => stepOf(line) !== null);
  return lastStep === -1 ? lines : lines.slice(0, lastStep + 1);
}

function toRows(lines: readonly string[], style: Row['style']): Row[] {
  return lines.flatMap((line) => wrapLine(line, columnCharacters)).map((text) => ({ text, style }));
}

/** Draws cards below each other, each under its caption. */
function drawColumn(x: number, cards: readonly (readonly [caption: string, card: Card])[]) {
  let y = padding;
  const parts = cards.map(([caption, card]) => {
    const top = y + 26;
    const drawn = drawCard(card, { x, y: top });
    const text = `<text class="caption" x="${x}" y="${y + 16}">${escapeXml(caption)}</text>`;
    y = top + drawn.height + padding;
    return `${text}\n${drawn.svg}`;
  });
  return { svg: parts.join('\n'), height: y - padding };
}

function drawCard(
  { author, label, note, rows, reactions }: Card,
  { x, y }: { readonly x: number; readonly y: number },
) {
  const bottom = reactions ? 34 : 0;
  const height = headerHeight + rows.length * lineHeight + rowSpacing(rows) + 18 + bottom;
  let line = y + headerHeight + 8;
  const texts = rows.map((row) => {
    if (row.style === 'heading') line += 6;
    line += lineHeight;
    return drawRow(row, { x, y: line - 6 });
  });
  const head = [
    `<rect class="card" x="${x}" y="${y}" width="${columnWidth}" height="${height}" rx="6"/>`,
    `<path class="head" d="M${x + 0.5} ${y + headerHeight}v-${headerHeight - 6}q0 -5.5 5.5 -5.5h${columnWidth - 12}q5.5 0 5.5 5.5v${headerHeight - 6}z"/>`,
    `<text x="${x + padding}" y="${y + 23}"><tspan class="name">${escapeXml(author)}</tspan><tspan class="note">${label ? `  ${label}` : ''}  ${escapeXml(note)}</tspan></text>`,
  ];
  const pill = reactions
    ? [
        `<rect class="pill" x="${x + padding}" y="${y + height - 38}" width="52" height="26" rx="13"/>`,
        `<text class="count" x="${x + padding + 26}" y="${y + height - 20}" text-anchor="middle">${reactions}</text>`,
      ]
    : [];
  return { svg: [...head, ...texts, ...pill].join('\n'), height };
}

function rowSpacing(rows: readonly Row[]): number {
  return 6 * rows.filter(({ style }) => style === 'heading').length;
}

function drawRow({ text, style }: Row, { x, y }: { readonly x: number; readonly y: number }): string {
  const indent = 8 * (/^ */.exec(text)?.[0].length ?? 0);
  const mark = style === 'added' || style === 'removed';
  const bar = mark
    ? `<rect class="${style}-bar" x="${x + 1}" y="${y - 15}" width="${columnWidth - 2}" height="${lineHeight}"/>`
    : '';
  return `${bar}<text class="${style}" x="${x + padding + indent}" y="${y}">${markCode(escapeXml(text.trim()))}</text>`;
}

function markCode(text: string): string {
  return text.replace(/`([^`]+)`/g, '<tspan class="code">$1</tspan>');
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

const style = `<style>
  text { font: 14px -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; fill: #1f2328; white-space: pre; }
  .caption, .heading, .name { font-weight: 600; }
  .note, .count { fill: #59636e; font-size: 13px; }
  .code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 13px; }
  .page { fill: #ffffff; stroke: #d1d9e0; }
  .card { fill: #ffffff; stroke: #d1d9e0; }
  .head { fill: #f6f8fa; }
  .pill { fill: #ddf4ff; stroke: #54aeff; }
  .added-bar { fill: #dafbe1; }
  .removed-bar { fill: #ffebe9; }
  .removed { text-decoration: line-through; }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc; }
    .note, .count { fill: #9198a1; }
    .page, .card { fill: #0d1117; stroke: #3d444d; }
    .head { fill: #151b23; }
    .pill { fill: #10233d; stroke: #1f6feb; }
    .added-bar { fill: #12361f; }
    .removed-bar { fill: #4a1719; }
  }
</style>`;
