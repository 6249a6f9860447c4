import type { KeyDecision } from './model.ts';

const mostDecisions = 10;
const heading = /^ {0,3}#{1,6}\s+(\S.*)$/;
const bullet = /^\s{0,8}(?:[-*+・]|\d{1,3}[.)])\s*(\S.*)$/;
const decisionHeading = /決定|\b(?:key )?decisions?\b/i;
const decisionWord = /決定|\bdecided\b|\bmust\b/i;

/**
 * Finds decisions in a summary that does not name them: list items under a heading about decisions, and list items
 * elsewhere that speak of one. At most ten, in their order. @see seed 002 §4.2.1, decision C11
 */
export function findKeyDecisions(summary: string): readonly KeyDecision[] {
  const found = new Set<string>();
  let isUnderHeading = false;
  for (const line of summary.split(/\r\n|\r|\n/)) {
    const title = heading.exec(line)?.[1];
    if (title !== undefined) isUnderHeading = decisionHeading.test(title);
    const item = bullet.exec(line)?.[1]?.trim();
    const isDecision = item !== undefined && (isUnderHeading || decisionWord.test(item));
    if (isDecision) found.add(item);
    if (found.size === mostDecisions) break;
  }
  return [...found].map((text) => ({ text, source: null }));
}
