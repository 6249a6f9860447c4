import { parseDocument } from 'yaml';
import { z } from 'zod';
import { type RepositoryFile, repositoryFileSchema } from './environment-schemas.ts';

/** Name of the file, in the root of the base branch. */
export const repositoryFileName = '.agent.yml';

/** Largest text that is read, in characters. */
const maxChars = 64 * 1024;

/** Wishes of a repository for its environment, or the mistake in them: then none of them counts. */
export type ReadRepositoryFile =
  | { readonly file: RepositoryFile; readonly problem: null }
  | { readonly file: null; readonly problem: string };

/** Reads the text of `.agent.yml`. */
export function readRepositoryFile(text: string): ReadRepositoryFile {
  const refuse = (problem: string) => ({ file: null, problem: `${repositoryFileName}: ${problem}` });
  if (text.length > maxChars) return refuse(`more than ${maxChars} characters`);
  const document = parseDocument(text, { uniqueKeys: true });
  const [mistake] = document.errors;
  if (mistake !== undefined) return refuse(mistake.message.split('\n')[0] ?? '');
  const parsed = repositoryFileSchema.safeParse(toValue(document) ?? {});
  return parsed.success ? { file: parsed.data, problem: null } : refuse(z.prettifyError(parsed.error));
}

/** An alias without its anchor, or aliases that grow beyond measure, make it no text that could be read. */
function toValue(document: ReturnType<typeof parseDocument>): unknown {
  try {
    return document.toJS();
  } catch {
    return 'aliases that are undefined or expand too far';
  }
}
