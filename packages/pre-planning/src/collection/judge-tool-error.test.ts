import { expect, it } from 'vitest';
import { judgeToolError } from './judge-tool-error.ts';

const failWith = (message: string, fields: object) => Object.assign(new Error(message), fields);

it.each([
  [failWith('Bad gateway', { status: 502 })],
  [failWith('read', { code: 'ECONNRESET' })],
  [failWith('invalid argument', { status: 429 })],
  [failWith('404 for now', { retryable: true })],
  [failWith('not found', { isRetryable: true })],
  [new Error('rate limit exceeded')],
  [new Error('timeout')],
  [new Error('something broke')],
  [new Error('unknown error')],
  [new Error('invalid JSON in response')],
  [new Error('the connection was lost after 404 bytes')],
  ['a text'],
  [{ error: 'overloaded' }],
])('takes %s for something that may pass [E3]', (error) => {
  expect(judgeToolError(error)).toMatchObject({ status: 'failed', isTransient: true });
});

it.each([
  [failWith('open a', { code: 'ENOENT' })],
  [failWith('nope', { status: 404 })],
  [failWith('nope', { statusCode: 410 })],
  [failWith('nope', { code: 'not-found' })],
  [failWith('nope', { code: -32602 })],
  [failWith('something broke', { retryable: false })],
  [failWith('timeout', { isRetryable: false })],
  [new Error('404')],
  [new Error('HTTP 403: keep out')],
  [new Error('Invalid argument')],
  [new Error('unknown option --deep')],
  [new Error('Permission denied')],
  [new Error('ENOENT: open a')],
  [{ message: 'no such table' }],
])('takes %s for something that would repeat itself [E3]', (error) => {
  expect(judgeToolError(error)).toMatchObject({ status: 'failed', isTransient: false });
});
