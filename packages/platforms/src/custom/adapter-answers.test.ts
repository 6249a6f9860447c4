import { expect, it } from 'vitest';
import { createListedCommentsReader } from './adapter-answers.ts';

const whole = {
  id: '1',
  author: { id: '7', login: 'alice', kind: 'person' },
  body: 'Please use tabs.',
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: null,
  url: null,
  visibility: 'public',
  subject: null,
};

function createReader() {
  const warned: string[] = [];
  const warn = (fields: { readonly comment: string }) => warned.push(fields.comment);
  const logger = { warn };
  return { read: createListedCommentsReader({ name: 'board', logger }), warned };
}

it('gives what fits as it is, with all that it carries', () => {
  const { read, warned } = createReader();
  const comment = { ...whole, votes: 3 };
  expect(read([comment])[0]).toEqual(comment);
  expect(warned).toEqual([]);
});

it.each([
  ['a number for an id', { id: 1 }, {}],
  ['an account without an id, who then is nobody', { author: { login: 'alice' } }, { author: null }],
  ['an account with an empty id, too', { author: { ...whole.author, id: '' } }, { author: null }],
  ['an account by number', { author: { id: 7, login: 'alice' } }, {}],
  ['no author', { author: undefined }, { author: null }],
  ['no times', { createdAt: 'yesterday', updatedAt: 5 }, { createdAt: '' }],
  ['no address and no visibility', { url: undefined, visibility: 'secret' }, { visibility: 'internal' }],
])('mends %s, and names the comment in a warning [CD-47]', (_, fields, mended) => {
  const { read, warned } = createReader();
  expect(read([{ ...whole, ...fields }])).toEqual([{ ...whole, ...mended }]);
  expect(warned).toEqual(['1']);
});

it('leaves out what has no id or no body, each with one warning, and loses nothing else [CD-47]', () => {
  const { read, warned } = createReader();
  const { id: _, ...nameless } = whole;
  const listed = [nameless, { ...whole, id: 'empty', body: null }, null, 'text', whole];
  expect(read(listed)).toEqual([whole]);
  expect(read(listed)).toEqual([whole]);
  expect(warned).toEqual(['the one at place 1', 'empty', 'the one at place 3', 'the one at place 4']);
});
