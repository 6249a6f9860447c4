import { createHash, hash } from 'node:crypto';
import type { Json } from '../run-model.ts';

/** A line of the record as it stands there. */
interface SealedLine {
  /** With its newline. */
  readonly bytes: Buffer;
  /** Check that the next line is chained to: the recorded one, or what stands in for it. */
  readonly check: string;
}

interface SealOptions {
  /** Check of the line before; '' for the first. */
  readonly previous: string;
  /** Number of the owner that writes; null where the store has none. */
  readonly owner: number | null;
}

const checkStart = ',"check":"';
const checkEnd = '"}';
const checkChars = checkStart.length + 32 + checkEnd.length;
const room = ' '.repeat(checkChars);

/** Adds the owner's number and the check to the text of a JSON object: the check covers it and the line before. */
export function sealLine(body: string, { previous, owner }: SealOptions): SealedLine {
  const owned = owner === null ? body : `${body.slice(0, -1)},"owner":${owner}}`;
  // Encoded once, with room for the check in its place: what a tool gave back can be long.
  const bytes = Buffer.from(`${previous}${owned}${room}`);
  const end = bytes.length - checkChars;
  const check = toCheck(bytes.subarray(0, end));
  bytes.write(`${checkStart}${check}${checkEnd}\n`, end - 1, 'latin1');
  return { bytes: bytes.subarray(previous.length), check };
}

/** Seal of a line, as it was found. */
interface Seal {
  /** Check that the next line is chained to. */
  readonly check: string;
  /** True where the check is that of this text after the line before. */
  readonly isWhole: boolean;
}

/** The end of a line, which distinguishes it from others: its check, and what closes it. */
export function sliceSeal(line: Buffer): string {
  return line.subarray(checkStart.length - checkChars).toString('latin1');
}

/** The text of a line before it was sealed, with the number of its owner. */
export function unsealLine(line: Buffer): string {
  return `${line.toString('utf8', 0, Math.max(0, line.length - checkChars))}}`;
}

const checkPattern = /^,"check":"([0-9a-f]{32})"\}$/;

/** Reads a line's seal. */
export function readSeal(line: Buffer, previous: string): Seal {
  const end = Math.max(0, line.length - checkChars);
  const seal = line.toString('latin1', end);
  const check = checkLine(line, { end, previous });
  // Lines in order are all that matters: to take a seal apart costs as much as the hash.
  if (seal === `${checkStart}${check}${checkEnd}`) return { check, isWhole: true };
  const [, other] = checkPattern.exec(seal) ?? [];
  return { check: other ?? '', isWhole: false };
}

/** The check of a line: it covers the check of the line before, and the text as it was before it was sealed. */
function checkLine(
  line: Buffer,
  { end, previous }: { readonly end: number; readonly previous: string },
): string {
  const covered = end + 1 + previous.length;
  // A long line is hashed where it is: a copy of each would be garbage as large as the record.
  if (covered > scratch.length) {
    const digest = createHash('sha256').update(previous).update(line.subarray(0, end)).update('}');
    return digest.digest('hex').slice(0, 32);
  }
  scratch.write(previous, 'latin1');
  line.copy(scratch, previous.length, 0, end);
  scratch[covered - 1] = closingBrace;
  return toCheck(scratch.subarray(0, covered));
}

/** A line as it was before it was sealed, for its check: most are shorter. */
const scratch = Buffer.alloc(64 * 1024);
const closingBrace = 0x7d;

function toCheck(text: string | Buffer): string {
  return hash('sha256', text, 'hex').slice(0, 32);
}

/** The text of a fact, to be sealed: something a run keeps besides its messages. */
export function formatFact(fact: {
  readonly name: string;
  readonly data: Json;
  readonly timestamp: string;
}): string {
  return JSON.stringify({ fact: fact.name, data: fact.data, timestamp: fact.timestamp });
}

/**
 * The line of `tools.jsonl` or `summaries.jsonl` that a fact stands for, out of its text: to read it would cost more,
 * as what a tool gave back can be long.
 */
export function sliceProjectedLine(text: string): string {
  const time = text.lastIndexOf(',"timestamp":"');
  const data = text.slice(text.indexOf(',"data":{') + ',"data":'.length, time - 1);
  return `${data}${text.slice(time, text.indexOf('"', time + ',"timestamp":"'.length) + 1)}}\n`;
}
