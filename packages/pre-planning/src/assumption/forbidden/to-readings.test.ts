import { expect, it } from 'vitest';
import { toReadings } from './find-forbidden.ts';

it.each([
  ['HTTPServer_apiKey2 user-name.ts', 'http server api key 2 user name ts'],
  ['APIkey', 'api key'],
  ['APIs', 'apis'],
  ['JWTtokens', 'jwt tokens'],
])('%s is taken apart as %j, among other ways', (text, words) => {
  expect(toReadings(text)).toContain(words);
});
