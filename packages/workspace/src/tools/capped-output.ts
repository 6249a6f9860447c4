import { cutWithoutSecrets, longestSecret } from '@agent/text/secrets';

/** Keeps the beginning and the end of a stream of any length. */
export interface CappedOutput {
  readonly add: (chunk: Buffer) => void;
  /** Gives the kept parts as text, without secrets, and says how much was left out of the middle. */
  readonly text: () => string;
}

/** Hides secrets in a whole text; of one that was cut, a part could stay. */
export type HideSecrets = (text: string) => string;

/** Options of `createCappedOutput`. */
export interface CappedOutputOptions {
  /** Bytes that are shown; half of them the beginning, half the end. */
  readonly maxBytes: number;
  readonly hideSecrets: HideSecrets;
}

/** More is kept than is shown, so that secrets are whole where they are looked for; a character has up to three bytes for each unit. */
const spareBytes = 4 * longestSecret;

/** Creates it. A secret is hidden wherever it stands, also where the middle begins or ends that is left out. */
export function createCappedOutput({ maxBytes, hideSecrets }: CappedOutputOptions): CappedOutput {
  const half = Math.max(1, Math.floor(maxBytes / 2));
  const kept = half + spareBytes;
  const head: Buffer[] = [];
  let headSize = 0;
  let tail: Buffer[] = [];
  let tailSize = 0;
  let total = 0;

  function addToTail(chunk: Buffer): void {
    tail.push(chunk);
    tailSize += chunk.length;
    // Joined now and then, so that neither many small chunks nor one large one costs more than a few halves.
    if (tailSize < 2 * kept && tail.length < 1024) return;
    tail = [Buffer.from(Buffer.concat(tail).subarray(-kept))];
    tailSize = tail[0]?.length ?? 0;
  }

  function showParts(first: string, last: string, shownOf: number): string {
    const start = trimEnd(Buffer.from(first).subarray(0, half));
    const end = trimStart(Buffer.from(last).subarray(-half));
    const left = shownOf - start.length - end.length;
    return `${start.toString('utf8')}\n… ${left} bytes left out …\n${end.toString('utf8')}`;
  }

  return {
    add: (chunk) => {
      total += chunk.length;
      const forHead = chunk.subarray(0, kept - headSize);
      if (forHead.length > 0) head.push(forHead);
      headSize += forHead.length;
      if (forHead.length < chunk.length) addToTail(chunk.subarray(forHead.length));
    },
    text: () => {
      const end = Buffer.concat(tail);
      if (total <= headSize + kept) {
        const whole = hideSecrets(Buffer.concat([...head, end]).toString('utf8'));
        const size = Buffer.byteLength(whole);
        return size <= 2 * half ? whole : showParts(whole, whole, size);
      }
      const cut = { hideSecrets, maxChars: half, isTorn: true };
      const first = cutWithoutSecrets(trimEnd(Buffer.concat(head)).toString('utf8'), {
        ...cut,
        keep: 'start',
      });
      const last = cutWithoutSecrets(trimStart(end.subarray(-kept)).toString('utf8'), {
        ...cut,
        keep: 'end',
      });
      return showParts(first, last, total);
    },
  };
}

const continues = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

function trimStart(bytes: Buffer): Buffer {
  let start = 0;
  while (start < 3 && continues(bytes[start])) start += 1;
  return bytes.subarray(start);
}

/** Drops a character at the end that was cut apart. */
function trimEnd(bytes: Buffer): Buffer {
  let start = bytes.length - 1;
  while (start > bytes.length - 4 && continues(bytes[start])) start -= 1;
  const lead = bytes[start] ?? 0;
  const needed = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return bytes.length - start < needed ? bytes.subarray(0, start) : bytes;
}
