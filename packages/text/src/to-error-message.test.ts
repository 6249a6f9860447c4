import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { toErrorMessage } from './to-error-message.ts';

it('gives the message of an error, of this realm or another', () => {
  expect(toErrorMessage(new TypeError('no such file'))).toBe('no such file');
  expect(toErrorMessage(runInNewContext("new RangeError('too far')"))).toBe('too far');
  expect(toErrorMessage(new Error(''))).toBe('');
});

it.each([
  ['a text', 'stop', 'stop'],
  ['a number', 3, '3'],
  ['nothing', undefined, 'undefined'],
  ['null', null, 'null'],
  ['an object whose message is a text', { message: 'full' }, 'full'],
  ['an object whose message is none', { message: 3 }, '[object Object]'],
  ['an object without a prototype', Object.create(null), 'an object without a message'],
])('gives a text for what is no error: %s', (_, thrown, text) => {
  expect(toErrorMessage(thrown)).toBe(text);
});
