import { createHash } from 'node:crypto';
import type { SourceComment } from '@agent/comment-detection';
import type { Authority, PictureSource } from '@agent/platforms';
import type { RunState } from '@agent/run-store';
import { estimateTokens, toErrorMessage } from '@agent/text';
import { createTurns } from '@agent/text/waiting';
import type { LanguageModel } from 'ai';
import * as z from 'zod';
import type { PictureSettings } from '../config/picture-settings.ts';
import type { RunLogger } from '../host/ports.ts';
import {
  attachPictures,
  countPictureLines,
  formatPictureLine,
  type ShownPicture,
} from './attach-pictures.ts';
import { readPicture } from './read-picture.ts';

/** Pictures in the texts of one run's thread. */
export interface RunPictures {
  /** Tells whether a text links what may be pictures, without asking anybody. */
  readonly hasPictures: (text: string) => boolean;
  /**
   * Fetches the pictures of a text, each once for the whole run, and says in lines to stand below it which the model is shown and why
   * others are not; empty where there is nothing to say. Never rejects for a picture.
   */
  readonly describe: (text: string, writer: PictureWriter) => Promise<string>;
  /** The same model, which sees the pictures that the lines name. */
  readonly attach: (model: LanguageModel) => LanguageModel;
  /** Counts the tokens of a text, and of the pictures that its lines bring. */
  readonly countTokens: (text: string) => number;
}

export interface PictureWriter {
  readonly authority: Authority | 'own';
  readonly signal?: AbortSignal | undefined;
}

export interface RunPicturesOptions {
  readonly settings: PictureSettings;
  readonly source: PictureSource;
  /** Keeps them beside the run: their facts in its record, their bytes outside of it. */
  readonly state: RunState;
  readonly logger: RunLogger;
}

/** Shows nothing, of a run that has no pictures. */
export const noPictures: RunPictures = {
  hasPictures: () => false,
  describe: async () => '',
  attach: (model) => model,
  countTokens: estimateTokens,
};

/** In the state of a run. */
const factsName = 'pictures.json';
const bytesName = (id: string): string => `pictures/${id}`;

const fact = z.union([
  z.object({
    media_type: z.string(),
    width: z.number(),
    height: z.number(),
    bytes: z.number(),
  }),
  z.object({ problem: z.string() }),
]);
/** Pictures of a run by their addresses, as its state has them. */
export const storedPicturesSchema = z.record(z.string(), fact);
type Facts = z.infer<typeof storedPicturesSchema>;
type Fact = Facts[string];

/** Tokens that a picture takes, about: by its size on the screen, whatever its bytes. */
const tokensPerPicture = 1_500;

/** Id of the picture at an address. */
export const toPictureId = (address: string): string =>
  createHash('sha256').update(address).digest('hex').slice(0, 16);

/** Creates the pictures of a run. What an earlier process fetched is not fetched again. */
export function createRunPictures({ settings, source, state, logger }: RunPicturesOptions): RunPictures {
  const { from, max_count: maxCount, max_bytes: maxBytes, max_pixels: maxPixels } = settings;
  let known: Facts | null = null;
  const loaded = new Map<string, Uint8Array>();

  /** No picture is fetched twice, or above the number. */
  const inTurn = createTurns();

  /** Null while they cannot be read: then nothing is fetched, and nothing is written over them. */
  async function readFacts(): Promise<Facts | null> {
    try {
      known ??= storedPicturesSchema.catch({}).parse((await state.read(factsName)) ?? {});
    } catch (error) {
      logger.warn({ err: error }, 'failed to read saved images');
    }
    return known;
  }

  /** Null for one more than the run takes. */
  async function findOut(address: string, signal: AbortSignal | undefined): Promise<Fact | null> {
    const facts = await readFacts();
    if (facts === null) return { problem: 'the pictures of this run cannot be read now' };
    const found = facts[address];
    if (found !== undefined) return found;
    if (Object.keys(facts).length >= maxCount) return null;
    const told = await take(address, signal);
    try {
      await state.write(factsName, { ...facts, [address]: told });
    } catch (error) {
      logger.warn({ err: error, address }, 'failed to save image');
      return { problem: 'it could not be stored' };
    }
    known = { ...facts, [address]: told };
    return told;
  }

  async function take(address: string, signal: AbortSignal | undefined): Promise<Fact> {
    try {
      const bytes = await source.fetchPicture(address, { maxBytes, signal });
      const seen = readPicture(bytes);
      if (seen === null) return { problem: 'it is not a PNG, JPEG, GIF or WebP image' };
      const { mediaType, width, height } = seen;
      if (width * height > maxPixels)
        return { problem: `it has ${width} x ${height} pixels, more than the maximum of ${maxPixels}` };
      await keep(toPictureId(address), bytes);
      return { media_type: mediaType, width, height, bytes: bytes.length };
    } catch (error) {
      signal?.throwIfAborted();
      logger.warn({ err: error, address }, 'failed to fetch image');
      return { problem: toErrorMessage(error).replace(/^The picture cannot be shown: /, '') };
    }
  }

  async function keep(id: string, bytes: Uint8Array): Promise<void> {
    loaded.set(id, bytes);
    // Not in the record: every reader of a run would read it.
    await state.write(bytesName(id), Buffer.from(bytes).toString('base64'), { sync: false });
  }

  async function readBytes(id: string): Promise<Uint8Array | null> {
    const kept = await state.read(bytesName(id)).catch(() => null);
    if (typeof kept !== 'string') return null;
    const bytes = Buffer.from(kept, 'base64');
    loaded.set(id, bytes);
    return bytes;
  }

  async function findPicture(id: string): Promise<ShownPicture | null> {
    const facts = (await readFacts()) ?? {};
    const address = Object.keys(facts).find((one) => toPictureId(one) === id);
    const told = address === undefined ? undefined : facts[address];
    if (told === undefined || 'problem' in told) return null;
    const bytes = loaded.get(id) ?? (await readBytes(id));
    return bytes === null ? null : { mediaType: told.media_type, bytes };
  }

  return {
    hasPictures: (text) => findLinks(text, source).size > 0,
    describe: async (text, { authority, signal }) => {
      if (from === 'trusted' && authority !== 'trusted') return '';
      const lines: string[] = [];
      let left = 0;
      for (const [address, link] of findLinks(text, source)) {
        const told = await inTurn(() => findOut(address, signal));
        if (told === null) left += 1;
        else lines.push(formatLine(told, { address, link }));
      }
      if (left > 0) lines.push(`[${left} more not shown: pictures.max_count is ${maxCount}]`);
      return lines.length === 0 ? '' : `\n\n${lines.join('\n')}`;
    },
    attach: (model) => attachPictures(model, findPicture),
    countTokens: (text) => estimateTokens(text) + countPictureLines(text) * tokensPerPicture,
  };
}

/** Links of a text that lead to pictures of its platform, by their addresses. Markdown, HTML and bare links look alike here. */
function findLinks(text: string, { locate }: Pick<PictureSource, 'locate'>): ReadonlyMap<string, string> {
  const links = text.match(/[^\s<>"'()[\]{}|\\^`]+/g) ?? [];
  const found = new Map<string, string>();
  for (const link of links) {
    const address = link.length <= 2_000 && link.includes('/') ? locate(link.replaceAll('&amp;', '&')) : null;
    if (address !== null && !found.has(address)) found.set(address, link);
  }
  return found;
}

function formatLine(
  told: Fact,
  { address, link }: { readonly address: string; readonly link: string },
): string {
  // What a name of a file may hold beside letters of ASCII is for nobody to see.
  const shown = link.replaceAll(/[^\x21-\x7e]/g, '?');
  if ('problem' in told) return `[picture not shown: ${shown}: ${told.problem}]`;
  const { media_type: type, width, height } = told;
  return formatPictureLine(toPictureId(address), `${shown}, ${type}, ${width} x ${height} pixels`);
}

/**
 * Describes pictures of comments: when a body is cleaned, for the moment at which it is formatted. Comments are cleaned
 * together, but the first of them have the first pictures.
 */
export function describeInOrder(
  pictures: RunPictures,
  authorityOf: (author: SourceComment['author']) => Promise<PictureWriter['authority']>,
) {
  const lines = new Map<string, string>();
  const inTurn = createTurns();
  return {
    describe: async ({ id, author, body, subject }: SourceComment): Promise<void> => {
      if (subject?.kind === 'check' || !pictures.hasPictures(body)) return;
      const describe = async () => pictures.describe(body, { authority: await authorityOf(author) });
      lines.set(id, await inTurn(describe));
    },
    linesOf: ({ id }: SourceComment): string => lines.get(id) ?? '',
  };
}
