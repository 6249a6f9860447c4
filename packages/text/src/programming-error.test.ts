import { describe, expect, it } from 'vitest';
import { isProgrammingError } from './programming-error.ts';

const thrownBy = (call: () => unknown): unknown => {
  try {
    return call();
  } catch (error) {
    return error;
  }
};

describe('isProgrammingError', () => {
  it.each([
    ['a missing function', thrownBy(() => (({}) as { run: () => void }).run())],
    ['a field of undefined', thrownBy(() => (undefined as unknown as { a: string }).a)],
    ['a name that is not declared', new ReferenceError('inbox is not defined')],
    ['a wrong argument of Node', thrownBy(() => Buffer.from(1 as unknown as string))],
    [
      'a defect as the cause of a defect',
      new TypeError('no list', { cause: new TypeError('x is not iterable') }),
    ],
  ])('is true for %s', (_name, error) => {
    expect(error).toBeInstanceOf(Error);
    expect(isProgrammingError(error)).toBe(true);
  });

  it.each([
    ['an error of an adapter', new Error('503')],
    ['the failure of fetch in Deno', new TypeError('error sending request for url (http://127.0.0.1:9/)')],
    ['the failure of fetch in browsers', new TypeError('NetworkError when attempting to fetch resource.')],
    ['a broken response body', new TypeError('terminated', { cause: new Error('other side closed') })],
    ['a TypeError with a code of the network', Object.assign(new TypeError('x'), { code: 'ECONNRESET' })],
    ['a TypeError around an outage', new TypeError('no list', { cause: new Error('503') })],
    ['an aborted call', new DOMException('aborted', 'AbortError')],
    ['null', null],
  ])('is false for %s', (_name, error) => {
    expect(isProgrammingError(error)).toBe(false);
  });

  it('is false for the error of a refused connection in this runtime', async () => {
    const error = await fetch('http://127.0.0.1:1/').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    expect(isProgrammingError(error)).toBe(false);
  });
});
