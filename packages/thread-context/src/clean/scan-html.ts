import { emptyFindings, type Findings } from './findings.ts';
import { readHtmlTag } from './html-tag.ts';
import { cutAttributes, cutEntity, readHtmlComment } from './markup-cuts.ts';

const interesting = /[<&]/g;

/** Reads a block of HTML, where Markdown means nothing. */
export function scanHtml(content: string): Findings {
  const findings = emptyFindings();
  let index = 0;
  while (index < content.length) {
    interesting.lastIndex = index;
    const found = interesting.exec(content);
    if (found === null) break;
    index =
      found[0] === '&'
        ? readEntity(content, { findings, start: found.index })
        : readMarkup(content, { findings, start: found.index });
  }
  return findings;
}

interface Place {
  readonly findings: Findings;
  readonly start: number;
}

function readEntity(content: string, { findings, start }: Place): number {
  const cut = cutEntity(content, start);
  if (cut !== null) findings.cuts.push(cut);
  return cut?.end ?? start + 1;
}

function readMarkup(content: string, { findings, start }: Place): number {
  const comment = readHtmlComment(content, start) ?? readBogusComment(content, start);
  if (comment !== null) {
    const end = comment.end ?? content.length;
    findings.cuts.push({ start, end, kind: 'html-comment' });
    return end;
  }
  const tag = readHtmlTag(content, start);
  if (tag === null) return start + 1;
  if (tag.torn !== null) {
    findings.cuts.push({ start, end: tag.end, kind: 'hidden-attribute' });
    if (tag.torn === 'quote') findings.hiddenFrom = start;
    return tag.end;
  }
  findings.tags.push(tag);
  findings.cuts.push(...cutAttributes(tag));
  return tag.end;
}

/** `<!` and `</` before anything else begin comments for a browser. */
function readBogusComment(content: string, start: number): { readonly end: number | null } | null {
  if (!/^<(?:!|\/[^A-Za-z])/.test(content.slice(start, start + 3))) return null;
  const end = content.indexOf('>', start);
  return { end: end === -1 ? null : end + 1 };
}
