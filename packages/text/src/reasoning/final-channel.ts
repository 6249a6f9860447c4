import { QuotedText } from './quoted-text.ts';

interface FinalChannel {
  /** Answer to the user; empty while there is none. */
  readonly text: string;
  /** False if the text names no channel. */
  readonly isChanneled: boolean;
}

const channelMark = /<\|(?:channel|start|message|end|return|call)\|>/g;
const finalChannel = /^<\|channel\|>\s{0,9}final\b[^<]{0,80}(?:<\|constrain\|>[^<]{0,80})?<\|message\|>/;

/** Takes the final channel out of an answer in the harmony format, whose other channels hold reasoning and calls. */
export function takeFinalChannel(text: string): FinalChannel {
  const marked = takeMarked(text);
  return marked ?? takeUnmarked(text);
}

/** A server may remove the first mark only. */
const cutFinal = /^(?:assistant)?\s{0,9}final\s{0,9}<\|message\|>/;

function takeMarked(written: string): FinalChannel | null {
  const text = written.replace(cutFinal, '<|channel|>final<|message|>');
  if (!text.includes('<|')) return null;
  const quoted = new QuotedText(text);
  const marks = [...text.matchAll(channelMark)].filter(({ index }) => !quoted.isQuoted(index));
  const first = marks.find(([mark]) => mark === '<|channel|>');
  if (first === undefined) return null;
  for (const [position, { index }] of [...marks.entries()].reverse()) {
    const [opening] = finalChannel.exec(text.slice(index, index + 300)) ?? [];
    if (opening === undefined) continue;
    const start = index + opening.length;
    const end = marks.slice(position + 1).find((mark) => mark.index >= start)?.index ?? text.length;
    return { text: text.slice(start, end), isChanneled: true };
  }
  const before = text.slice(0, marks[0]?.index ?? 0);
  return { text: marks[0] === first || marks[0]?.[0] === '<|start|>' ? before : '', isChanneled: true };
}

/** Names of channels stand at the start without their marks, if a server removes the special tokens. */
const unmarkedStart = /^(?:assistant)?(?:analysis|commentary)(?=[A-Z"'\u3040-\u9fff]|$)/;
const unmarkedFinal = /assistantfinal(?:json)?/g;
const unmarkedChannel = /assistant(?:analysis|commentary|final)/;

function takeUnmarked(text: string): FinalChannel {
  const starts = unmarkedStart.test(text);
  if (!starts && !text.includes('assistantfinal')) return { text, isChanneled: false };
  const quoted = new QuotedText(text);
  const finals = [...text.matchAll(unmarkedFinal)].filter(
    ({ index }) => !quoted.isQuoted(index) && !/\s/.test(text.charAt(index - 1) || 'a'),
  );
  const last = finals.at(-1);
  if (last === undefined) return { text: starts ? '' : text, isChanneled: starts };
  const said = text.slice(last.index + last[0].length);
  const next = said.search(unmarkedChannel);
  return { text: next === -1 ? said : said.slice(0, next), isChanneled: true };
}

const unmarkedStarts = [
  ...['analysis', 'commentary', 'assistant'],
  ...['Here is my thought process', "Here's my thought process"],
];

/** Tells whether a growing text may begin reasoning that has no mark. */
export function isUnmarkedStart(text: string): boolean {
  const start = text.trimStart();
  return start !== '' && unmarkedStarts.some((one) => one.startsWith(start));
}

const prefix = /^here(?:['’]s| is) my thought process:?/i;
const prefixEnd = /\bhere(?:['’]s| is) my response:?/i;

const thoughtFence = /^(`{3,9})(?:think(?:ing)?|thoughts?|reasoning)[ \t]{0,9}\r?\n/i;

/** Some models think in a fence of that name. */
function dropFence(text: string, isWhole: boolean): { readonly text: string; readonly isDropped: boolean } {
  const [, mark = ''] = thoughtFence.exec(text) ?? [];
  const end = text.indexOf(`\n${mark}`);
  if (end === -1) return { text: '', isDropped: isWhole };
  return { text: text.slice(end + 1 + mark.length).trimStart(), isDropped: true };
}

/** Granite writes two sentences instead of marks. */
export function dropPrefixed(
  text: string,
  isWhole: boolean,
): { readonly text: string; readonly isDropped: boolean } {
  if (thoughtFence.test(text)) return dropFence(text, isWhole);
  if (!prefix.test(text)) return { text, isDropped: false };
  const end = prefixEnd.exec(text);
  if (end === null) return { text: isWhole ? text : '', isDropped: false };
  return { text: text.slice(end.index + end[0].length), isDropped: true };
}
