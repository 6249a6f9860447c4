import { isLegitimate, suspiciousSource } from './character-classes.ts';
import { classifyCharacter, isBidirectional } from './classify-character.ts';
import type { RemovalLog } from './removal-log.ts';

const runs = new RegExp(`${suspiciousSource}+`, 'gv');
const tags = /[\u{E0020}-\u{E007E}]+\u{E007F}?/uy;
/** The flags that fonts draw from tag characters; with any others a plain black flag is shown. */
const flags = new Set(['gbeng', 'gbsct', 'gbwls', 'ustx', 'usca']);
/** So many characters without a shape side by side are no part of any code: they carry a text. */
const shortRun = 3;

export interface CharacterOptions {
  readonly inCode: boolean;
  readonly log: RemovalLog;
}

/** Takes out what has no shape and no work to do; in code only what carries text, and shows what turns it round. */
export function cleanCharacters(text: string, options: CharacterOptions): string {
  const parts: string[] = [];
  let reached = 0;
  for (const { 0: run, index } of text.matchAll(runs)) {
    parts.push(text.slice(reached, index));
    reached = index + run.length;
    const neighbours = {
      before: lastCharacter(text.slice(Math.max(0, index - 2), index)),
      after: characterAt(text, reached),
    };
    parts.push(cleanRun(run, { ...options, ...neighbours }));
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(reached);
}

interface RunOptions extends CharacterOptions {
  readonly before: string;
  readonly after: string;
}

function cleanRun(run: string, { inCode, log, before, after }: RunOptions): string {
  const isShort = inCode && [...run].length <= shortRun;
  let kept = '';
  for (let index = 0; index < run.length; ) {
    const flag = readFlag(run, index);
    if (flag.length > 0) {
      const isFlag = (lastCharacter(kept) || before) === '\u{1F3F4}' && flags.has(decodeFlag(flag));
      if (isFlag) kept += flag;
      else for (const _ of flag) log.add('tag-character', 2);
      index += flag.length;
      continue;
    }
    const char = characterAt(run, index);
    index += char.length;
    const neighbours = { before: lastCharacter(kept) || before, after: characterAt(run, index) || after };
    kept += cleanCharacter(char, { ...neighbours, inCode, isShort, log });
  }
  return kept;
}

function cleanCharacter(
  char: string,
  { inCode, isShort, log, ...neighbours }: RunOptions & { readonly isShort: boolean },
): string {
  const code = char.codePointAt(0) ?? 0;
  if (inCode && isBidirectional(code)) {
    log.add('bidirectional-control', char.length);
    return `\\u${code.toString(16).toUpperCase().padStart(4, '0')}`;
  }
  const carriesText = code >= 0xe0000 && code <= 0xe0fff;
  if (isLegitimate(char, neighbours) || (isShort && !carriesText)) return char;
  log.add(classifyCharacter(code), char.length);
  return '';
}

function readFlag(run: string, index: number): string {
  tags.lastIndex = index;
  return tags.exec(run)?.[0] ?? '';
}

/** The letters that tag characters stand for; empty without the one that ends them. */
function decodeFlag(flag: string): string {
  const codes = [...flag].map((char) => (char.codePointAt(0) ?? 0) - 0xe0000);
  return codes.pop() === 0x7f ? String.fromCharCode(...codes.slice(0, 16)) : '';
}

function characterAt(text: string, index: number): string {
  const code = text.codePointAt(index);
  return code === undefined ? '' : String.fromCodePoint(code);
}

function lastCharacter(text: string): string {
  const start = text.length - (/[\uDC00-\uDFFF]$/.test(text) && text.length > 1 ? 2 : 1);
  return start < 0 ? '' : text.slice(start);
}
