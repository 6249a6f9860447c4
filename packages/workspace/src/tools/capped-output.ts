/** Keeps the beginning and the end of a stream of any length. */
export interface CappedOutput {
  readonly add: (chunk: Buffer) => void;
  /** Gives the kept parts as text, and says how much was left out of the middle. */
  readonly text: () => string;
}

/** @param maxBytes how much is kept; half of it the beginning, half the end */
export function createCappedOutput(maxBytes: number): CappedOutput {
  const half = Math.max(1, Math.floor(maxBytes / 2));
  const head: Buffer[] = [];
  let headSize = 0;
  let tail: Buffer[] = [];
  let tailSize = 0;
  let total = 0;

  function addToTail(chunk: Buffer): void {
    tail.push(chunk);
    tailSize += chunk.length;
    // Joined now and then, so that neither many small chunks nor one large one costs more than a few halves.
    if (tailSize < 4 * half && tail.length < 1024) return;
    tail = [Buffer.from(Buffer.concat(tail).subarray(-half))];
    tailSize = tail[0]?.length ?? 0;
  }

  return {
    add: (chunk) => {
      total += chunk.length;
      const forHead = chunk.subarray(0, half - headSize);
      if (forHead.length > 0) head.push(forHead);
      headSize += forHead.length;
      if (forHead.length < chunk.length) addToTail(chunk.subarray(forHead.length));
    },
    text: () => {
      const end = Buffer.concat(tail);
      if (total <= headSize + half) return Buffer.concat([...head, end]).toString('utf8');
      const first = trimEnd(Buffer.concat(head));
      const last = trimStart(end.subarray(-half));
      const left = total - first.length - last.length;
      return `${first.toString('utf8')}\n… ${left} bytes left out …\n${last.toString('utf8')}`;
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
