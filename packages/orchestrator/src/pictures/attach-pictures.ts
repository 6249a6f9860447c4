import { type LanguageModel, type LanguageModelMiddleware, wrapLanguageModel } from 'ai';

/** A picture as a request carries it. */
export interface ShownPicture {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** Finds a picture of the run by its name in a text; null for none. */
export type FindPicture = (id: string) => Promise<ShownPicture | null>;

type Prompt = Parameters<NonNullable<LanguageModelMiddleware['transformParams']>>[0]['params']['prompt'];
type UserMessage = Extract<Prompt[number], { role: 'user' }>;
type Part = UserMessage['content'][number];

/** Name of a picture in the line that stands for it. */
const named = /\[picture ([0-9a-f]{16}):[^[\]\n]{1,3000}\]/g;

/** Writes the line that stands for a picture in a text. */
export function formatPictureLine(id: string, says: string): string {
  return `[picture ${id}: ${says.replaceAll(/[[\]\n]/g, ' ').slice(0, 2900)}]`;
}

/** Counts the lines in a text that may stand for pictures. */
export function countPictureLines(text: string): number {
  return [...text.matchAll(named)].length;
}

/**
 * The same model, which gets each picture right behind the line that stands for it in a message of the user: the conversation itself,
 * and so the record, has the lines alone. A line that stands there twice brings its picture once.
 */
export function attachPictures(model: LanguageModel, findPicture: FindPicture): LanguageModel {
  // The name of a model that a gateway finds cannot be wrapped.
  if (typeof model === 'string') return model;
  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: 'v4',
      transformParams: async ({ params }) => ({
        ...params,
        prompt: await withPictures(params.prompt, findPicture),
      }),
    },
  });
}

async function withPictures(prompt: Prompt, findPicture: FindPicture): Promise<Prompt> {
  const shown = new Set<string>();
  const messages: Prompt = [];
  for (const message of prompt) {
    if (message.role !== 'user') {
      messages.push(message);
      continue;
    }
    const content: Part[] = [];
    for (const part of message.content)
      content.push(...(part.type === 'text' ? await splitAtPictures(part, { shown, findPicture }) : [part]));
    messages.push({ ...message, content });
  }
  return messages;
}

async function splitAtPictures(
  part: Extract<Part, { type: 'text' }>,
  { shown, findPicture }: { readonly shown: Set<string>; readonly findPicture: FindPicture },
): Promise<readonly Part[]> {
  const parts: Part[] = [];
  let from = 0;
  for (const { 0: line, 1: id = '', index } of part.text.matchAll(named)) {
    const picture = shown.has(id) ? null : await findPicture(id);
    if (picture === null) continue;
    shown.add(id);
    const end = index + line.length;
    const { mediaType, bytes } = picture;
    parts.push({ ...part, text: part.text.slice(from, end) });
    parts.push({ type: 'file', mediaType, data: { type: 'data', data: bytes } });
    from = end;
  }
  if (from === 0) return [part];
  return from < part.text.length ? [...parts, { ...part, text: part.text.slice(from) }] : parts;
}
