import type { State } from './model.ts';
import { validationFailed } from './refusal.ts';

const maxTitleCharacters = 256;

/**
 * Refuses an issue's, pull request's or comment's body that is too long.
 * @throws {Refusal} 422
 * @see https://docs.github.com/rest/issues/comments
 */
export function checkBody(state: State, resource: string, body: string): void {
  const limit = state.maxBodyCharacters;
  if (body.length <= limit || countCharacters(body) <= limit) return;
  throw validationFailed({
    resource,
    code: 'custom',
    field: 'body',
    message: `body is too long (maximum is ${limit} characters)`,
  });
}

/** Refuses an empty title and one of more than 256 characters. @throws {Refusal} 422 */
export function checkTitle(resource: string, title: string): void {
  if (title.trim() === '') throw validationFailed({ resource, code: 'missing_field', field: 'title' });
  if (countCharacters(title) <= maxTitleCharacters) return;
  const message = `title is too long (maximum is ${maxTitleCharacters} characters)`;
  throw validationFailed({ resource, code: 'custom', field: 'title', message });
}

function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
