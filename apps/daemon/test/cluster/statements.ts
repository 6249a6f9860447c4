/** A statement that writes to a run. */
export interface WritingStatement {
  /** The run, and the opening of it that writes. */
  readonly uuid: string;
  readonly owner: number;
  /** True for one that writes a line of the record. */
  readonly isLine: boolean;
  /** Check of that line; null where none is written, or it is too long to be seen whole. */
  readonly check: string | null;
  /** Name of the fact that the line says; null for none. */
  readonly fact: string | null;
}

const [parse, bind] = [0x50, 0x42];
const headBytes = 5;
const writing = /owner = \$2|, line, fact, body\)/;
const uuidPattern = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;

/**
 * Creates a reader of what a client sends on one connection to PostgreSQL: it says of each piece whether a statement in it writes to
 * a run. A statement's text is sent once, under a name; from then on its values alone.
 */
export function createStatementReader(): (chunk: Buffer) => WritingStatement | null {
  /** Of the statements that write, by their names: whether they write a line. */
  const writers = new Map<string, boolean>();
  let isStarted = false;
  /** Bytes of a message that goes on in the next piece. */
  let open = 0;

  function readMessage(kind: number | undefined, content: Buffer): WritingStatement | null {
    if (kind !== parse && kind !== bind) return null;
    const [first = '', second = ''] = content.toString('latin1').split('\0', 2);
    if (kind === bind) {
      const isLine = writers.get(second);
      return isLine === undefined ? null : readValues(content, isLine);
    }
    writers.delete(first);
    if (writing.test(second)) writers.set(first, second.includes(', line, fact, body)'));
    return null;
  }

  return (chunk) => {
    // The first message says who connects, and has no kind.
    if (!isStarted) {
      isStarted = true;
      return null;
    }
    let found: WritingStatement | null = null;
    let at = open;
    while (at + headBytes <= chunk.length) {
      const end = at + 1 + chunk.readInt32BE(at + 1);
      found = readMessage(chunk[at], chunk.subarray(at + headBytes, end)) ?? found;
      at = end;
    }
    open = Math.max(0, at - chunk.length);
    return found;
  };
}

/** The first values are the run, the opening and the process, each behind its length. */
function readValues(content: Buffer, isLine: boolean): WritingStatement | null {
  const text = content.toString('latin1');
  const uuid = uuidPattern.exec(text);
  if (uuid === null) return null;
  const at = uuid.index + uuid[0].length;
  const length = content.length >= at + 4 ? content.readInt32BE(at) : 0;
  const owner = Number(text.slice(at + 4, at + 4 + length));
  if (length < 1 || !Number.isSafeInteger(owner)) return null;
  const check = isLine ? (/"check":"([0-9a-f]{32})"\}/.exec(text)?.[1] ?? null) : null;
  const fact = isLine ? (/"fact":"(\w+)"/.exec(text)?.[1] ?? null) : null;
  return { uuid: uuid[0], owner, isLine, check, fact };
}
