import { toCodeBlock } from '@agent/text';
import { decodeTextFile } from '@agent/text/files';
import { checkOptions, expected } from '@agent/text/options';
import { toOneLine } from './readable-text.ts';

/** A file that a message brings. */
export interface Attachment {
  readonly name: string;
  readonly url: string;
  /** Bytes. */
  readonly size: number;
}

/** The largest file that is read, in bytes. */
const maxFileBytes = 64 * 1_024;
/** Files that are read of one message. */
const maxFiles = 5;
/** Messages whose files are kept. */
const maxMessages = 100;
const timeoutMs = 10_000;

/** Files of a message, for the model. */
export interface ReadFiles {
  /** Text of the files, or a line for each file that cannot be read. Empty without files. */
  readonly text: string;
  /** True if at least one file could be read. */
  readonly isReadable: boolean;
}

interface MessageFiles {
  readonly attachments: readonly Attachment[];
  reading: Promise<ReadFiles> | null;
}

type Fetch = typeof globalThis.fetch;

/** Options of `AttachedFiles`. */
export interface AttachedFilesOptions {
  /** Downloads the files. Default: that of Node. */
  readonly fetch?: Fetch | undefined;
}

const nothing: ReadFiles = { text: '', isReadable: false };

/**
 * Reads the text files of messages: any attachment of up to 64 KB whose bytes are UTF-8 or UTF-16 text. Its media type does not
 * matter: Discord calls a `.ts` file a video.
 */
export class AttachedFiles {
  readonly #messages = new Map<string, MessageFiles>();
  /** Messages that have the text of their files already. */
  readonly #complete = new WeakSet<object>();
  readonly #fetch: Fetch;

  constructor(options: AttachedFilesOptions = {}) {
    checkOptions('AttachedFilesOptions', options, { fetch: expected.function });
    this.#fetch = options.fetch ?? globalThis.fetch;
  }

  /** Remembers the files of a message until they are read. */
  note(messageId: string, attachments: readonly Attachment[]): void {
    if (attachments.length === 0) return;
    const known = this.#messages.get(messageId);
    this.#messages.delete(messageId);
    this.#messages.set(messageId, known?.reading == null ? { attachments, reading: null } : known);
    const [oldest] = this.#messages.keys();
    if (this.#messages.size > maxMessages && oldest !== undefined) this.#messages.delete(oldest);
  }

  has(messageId: string): boolean {
    return this.#messages.has(messageId);
  }

  /** Never rejects: a file that cannot be downloaded is named. */
  read(messageId: string): Promise<ReadFiles> {
    const files = this.#messages.get(messageId);
    if (files === undefined) return Promise.resolve(nothing);
    files.reading ??= readAll(files.attachments, this.#fetch);
    return files.reading;
  }

  /** The same message with the text of its files in front: where a conversation is cut, the end stays. */
  async addTo<Message extends { readonly id: string; readonly content: string }>(
    message: Message,
  ): Promise<Message> {
    const { text } = await this.read(message.id);
    if (text === '' || this.#complete.has(message)) return message;
    const content = message.content === '' ? text : `${text}\n\n${message.content}`;
    const complete = { ...message, content };
    this.#complete.add(complete);
    return complete;
  }
}

async function readAll(attachments: readonly Attachment[], fetch: Fetch): Promise<ReadFiles> {
  const files = await Promise.all(attachments.slice(0, maxFiles).map((one) => readOne(one, fetch)));
  const left = attachments.slice(maxFiles).map(({ name }) => describe(name, 'not read: too many files'));
  const texts = files.map(({ text }) => text);
  return { text: [...texts, ...left].join('\n\n'), isReadable: files.some(({ isReadable }) => isReadable) };
}

async function readOne({ name, url, size }: Attachment, fetch: Fetch): Promise<ReadFiles> {
  if (size > maxFileBytes) return { text: describe(name, 'not read: larger than 64 KB'), isReadable: false };
  const bytes = await download(url, fetch).catch(() => null);
  if (bytes === null) return { text: describe(name, 'not read: the download failed'), isReadable: false };
  const decoded = isTextCandidate(bytes) ? decodeTextFile(bytes) : null;
  if (decoded?.kind !== 'text')
    return { text: describe(name, 'not read: no text, or not in UTF-8'), isReadable: false };
  return {
    text: `${describe(name, 'attached')}\n${toCodeBlock(decoded.text.trimEnd(), '')}`,
    isReadable: true,
  };
}

/** UTF-16 counts only with a byte-order mark: any bytes could be UTF-16, those of a picture too. */
function isTextCandidate(bytes: Uint8Array): boolean {
  const [first, second] = bytes;
  const hasMark = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return hasMark || !bytes.includes(0);
}

function describe(name: string, state: string): string {
  return `[File ${toOneLine(name).replaceAll(/[`[\]]/g, '')}: ${state}]`;
}

/** @throws Error if it fails, or if the file is larger than Discord said */
async function download(url: string, send: Fetch): Promise<Uint8Array> {
  const response = await send(url, { signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok || response.body === null) throw new Error(`HTTP ${response.status}`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    if (size > maxFileBytes) throw new Error('larger than announced');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
