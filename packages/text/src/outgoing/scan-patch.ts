import { createHash } from 'node:crypto';
import {
  createKnownSecrets,
  type FoundSecret,
  findCertainSecrets,
  type KnownSecrets,
} from '../secrets/index.ts';
import { type AddedLines, countUpTo, parsePatch } from './parse-patch.ts';

/** Something that looks like a secret, in what would be pushed. */
export interface PushedSecret {
  readonly path: string;
  /** In the new file, from 1; the name of the file, or the whole of it where it could not be looked through. */
  readonly line: number | 'name' | 'whole';
  readonly kind: string;
  /** Names the value without telling it. */
  readonly fingerprint: string;
  /** SHA-256 of the value, of which the fingerprint is the beginning. */
  readonly sha256: string;
  /** Tells whether the process holds it itself: then it does not matter that the server has it already. */
  readonly isOwn: boolean;
  /** The line of the value that says most: a key goes over several. */
  readonly value: string;
}

/** A patch to be looked through, and what for. */
export interface PatchScan {
  readonly bytes: Uint8Array;
  /** Tells whether there is more: then the last file is not known to be clean. */
  readonly isCut: boolean;
  /** Values that this process holds. */
  readonly secrets: readonly string[];
  readonly allow: AllowedSecrets;
  /** Two numbers: how many files were begun, and where the patch speaks of the last of them. */
  readonly progress: Int32Array;
}

/** Finds the secrets in what a patch adds: known values, and what is certain enough to hold a push back. Linear in its length. */
export async function scanPatch(scan: PatchScan): Promise<readonly PushedSecret[]> {
  const { bytes, isCut, secrets, progress } = scan;
  let path = '';
  const look: Look = { ...scan, known: createKnownSecrets(secrets) };
  const found: PushedSecret[] = [];
  for (const file of parsePatch(bytes)) {
    Atomics.store(progress, 1, file.offset);
    Atomics.add(progress, 0, 1);
    path = file.path;
    const inName = await findInText(file.path, { ...look, path: file.path });
    found.push(...inName.map((place) => toPushed(place, { file, line: 'name', text: file.path })));
    for (const reading of listReadings(file.bytes)) {
      const places = await findInText(reading.text, { ...look, path: file.path, isSure: reading.isSure });
      const rowOf = countRows(reading);
      found.push(
        ...places.map((place) => {
          return toPushed(place, { file, line: file.lineOf(rowOf(place.start)), text: reading.text });
        }),
      );
    }
  }
  return isCut ? [...found, toUnread(path, 'from here on there is too much to scan for secrets')] : found;
}

/** Text that could not be looked through is held back like a secret. */
export function toUnread(path: string, kind: string): PushedSecret {
  return { path, line: 'whole', kind, isOwn: true, fingerprint: '', sha256: '', value: '' };
}

interface Look {
  readonly known: KnownSecrets;
  readonly allow: AllowedSecrets;
}

interface Place extends FoundSecret {
  readonly isOwn: boolean;
  readonly fingerprint: string;
  readonly sha256: string;
}

async function findInText(
  text: string,
  { known, allow, path, isSure = true }: Look & { readonly path: string; readonly isSure?: boolean },
): Promise<readonly Place[]> {
  const describe = (isOwn: boolean) => (found: FoundSecret) => {
    const sha256 = sha256Of(text.slice(found.start, found.end));
    return { ...found, isOwn, sha256, fingerprint: toFingerprint(sha256) };
  };
  const own = known.find(text).map(describe(true));
  if (!isSure || isPathAllowed(path, allow)) return own;
  const others = (await findCertainSecrets(text)).map(describe(false));
  return [...own, ...others.filter(({ fingerprint }) => !allow.fingerprints.includes(fingerprint))];
}

function toPushed(
  { kind, isOwn, fingerprint, sha256, start, end }: Place,
  { file, line, text }: { readonly file: AddedLines; readonly line: number | 'name'; readonly text: string },
): PushedSecret {
  const lines = text.slice(start, end).split('\n');
  const [value = ''] = lines.toSorted((one, other) => other.length - one.length);
  return { path: file.path, line, kind, isOwn, fingerprint, sha256, value };
}

/** Bytes read as text in one way. */
interface Reading {
  readonly text: string;
  readonly bytes: Buffer;
  /** Offset of the first character's byte, and bytes for each. */
  readonly begin: number;
  readonly unit: 1 | 2;
  /** Tells whether the bytes are meant so: what looks like a secret may be chance otherwise. */
  readonly isSure: boolean;
}

/**
 * Reads bytes as UTF-8, and as UTF-16 where there are NULs, as each letter of a secret has one there: in either order, from an even
 * and from an odd byte, as an added line can begin in the middle of a character.
 */
function* listReadings(bytes: Buffer): Generator<Reading> {
  yield { text: bytes.toString('utf8'), bytes, begin: 0, unit: 1, isSure: true };
  if (!bytes.includes(0)) return;
  for (const [encoding, mark] of utf16) {
    const isSure = bytes.toString('latin1', 0, 2) === mark;
    // Not `toString('utf16le')`: from an odd byte on it damages the memory of Node 24.21.
    const decoder = new TextDecoder(encoding, { ignoreBOM: true });
    yield { text: decoder.decode(bytes), bytes, begin: 0, unit: 2, isSure };
    yield { text: decoder.decode(bytes.subarray(1)), bytes, begin: 1, unit: 2, isSure: false };
  }
}

/** Names of both orders, and the marks with which a file begins. */
const utf16 = [
  ['utf-16le', '\u00ff\u00fe'],
  ['utf-16be', '\u00fe\u00ff'],
] as const;

/** Lines are git's: they end with each byte that is a line feed. */
function countRows({ text, bytes, begin, unit }: Reading): (index: number) => number {
  let ends: number[] | null = null;
  return (index) => {
    ends ??= unit === 1 ? listEnds(text, '\n') : listEnds(bytes, 10);
    return countUpTo(ends, unit === 1 ? index - 1 : begin + unit * index - 1);
  };
}

function listEnds<Sought>(
  within: { readonly indexOf: (sought: Sought, from: number) => number },
  sought: Sought,
): number[] {
  const ends: number[] = [];
  for (let at = within.indexOf(sought, 0); at !== -1; at = within.indexOf(sought, at + 1)) ends.push(at);
  return ends;
}

/** Exceptions that an operator lets through the gate before a push. Values of the daemon's own secrets are never let through. */
export interface AllowedSecrets {
  /** Files, and directories by their paths with a slash at the end, from the root of the repository. */
  readonly paths: readonly string[];
  /** Fingerprints of values, as the log tells them. */
  readonly fingerprints: readonly string[];
}

export const nothingAllowed: AllowedSecrets = { paths: [], fingerprints: [] };

function isPathAllowed(path: string, { paths }: AllowedSecrets): boolean {
  return paths.some((allowed) => (allowed.endsWith('/') ? path.startsWith(allowed) : path === allowed));
}

/**
 * Names a value without telling it: the first 16 digits of its SHA-256.
 *
 * @example
 * fingerprintOf('plum-orchard-lane'); // 'dedbdef52c526e06'
 */
export function fingerprintOf(value: string): string {
  return toFingerprint(sha256Of(value));
}

const sha256Of = (value: string) => createHash('sha256').update(value, 'utf8').digest('hex');

const toFingerprint = (sha256: string) => sha256.slice(0, 16);
