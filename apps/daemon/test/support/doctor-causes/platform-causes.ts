import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { editConfig } from '../edit-config.ts';
import { answerWith, type Cause, edited, page, serve } from './cause.ts';

const pem = /save the \.pem file unchanged, and name it in platforms\.github\.app\.private_key_file/;
const appPage = /\/settings\/apps$/;

/** Faults of a platform and its credential, by what is wrong. */
export const platformCauses: Readonly<Record<string, Cause>> = {
  'the private key of the App is not set': {
    area: 'github',
    make: (at) => edited(at, { 'platforms.github.app': { app_id: 7 } }),
    text: /^GITHUB_APP_PRIVATE_KEY is not set/,
    fix: /Generate a private key on the App's settings page\. Name its file in .* or put its text into GITHUB_APP_PRIVATE_KEY/,
    url: appPage,
  },
  'the file of the private key is missing': {
    area: 'github',
    make: (at) => edited(at, { 'platforms.github.app': { app_id: 7, private_key_file: 'none.pem' } }),
    text: /private key \S+none\.pem cannot be read \(ENOENT\)/,
    fix: pem,
    url: appPage,
  },
  'the private key is not PEM': {
    area: 'github',
    make: async (at) => {
      await writeFile(join(at.directory, 'app.pem'), 'SHA256:not-a-key');
      return edited(at, { 'platforms.github.app': { app_id: 7, private_key_file: 'app.pem' } });
    },
    text: /not an RSA key in PEM form/,
    fix: pem,
    url: appPage,
  },
  'the token is not set': {
    area: 'github',
    make: async () => ({ GITHUB_TOKEN: '' }),
    text: /^GITHUB_TOKEN is not set/,
    fix: /Create a token \(contents, issues and pull requests: read and write\), and add GITHUB_TOKEN=… to \.env/,
    url: /personal-access-tokens$/,
  },
  'the token is refused': {
    area: 'github',
    make: async () => ({ GITHUB_TOKEN: 'ghp_0000000000000000000000000000000000aa' }),
    text: /refused the token/,
    fix: /Create a new token \(contents, .*\), and put it into GITHUB_TOKEN/,
    url: /personal-access-tokens$/,
  },
  'the token file is missing': {
    area: 'github',
    make: (at) => edited(at, { 'platforms.github.token_file': 'none' }),
    text: /token file \S+none cannot be used: ENOENT/,
    fix: /platforms\.github\.token_file names/,
  },
  'the base URL is that of a web server': {
    area: 'github',
    make: async (at) => edited(at, { 'platforms.github.base_url': await serve(page) }),
    text: /does not have the form that GitHub uses|is not JSON/,
    fix: /Set platforms\.github\.base_url to the address of the API: https:\/\/api\.github\.com, or https:\/\/HOST\/api\/v3/,
  },
  'the API is at another path': {
    area: 'github',
    make: async (at) => {
      const url = await serve(answerWith(404, 'application/json', '{"message":"Not Found"}'));
      return edited(at, { 'platforms.github.base_url': url });
    },
    text: /404/,
    fix: /https:\/\/HOST\/api\/v3/,
  },
  'the platform fails': {
    area: 'github',
    make: async (at) => {
      const url = await serve(answerWith(502, 'text/html', '<title>502 Bad Gateway</title>'));
      return edited(at, { 'platforms.github.base_url': url });
    },
    text: /502/,
    fix: /The server itself failed\. Wait/,
  },
  'no platform listens there': {
    area: 'github',
    make: (at) => edited(at, { 'platforms.github.base_url': 'http://127.0.0.1:2' }),
    text: /could not be reached \(ECONNREFUSED\)/,
    fix: /Start the server at 127\.0\.0\.1:2, or set platforms\.github\.base_url/,
  },
  'the platform does not use TLS': {
    area: 'github',
    make: async (at) =>
      edited(at, { 'platforms.github.base_url': (await serve(page)).replace('http:', 'https:') }),
    text: /TLS/,
    fix: /Write http:\/\/ instead of https:\/\/ in platforms\.github\.base_url/,
  },
  'a classic token has no access to the repository': {
    area: 'github',
    make: async (at) => {
      at.gitHub.addUser({ login: 'guest' });
      at.gitHub.addToken({ token: 'ghp_guest000000000000000000000000000002', login: 'guest' });
      await editConfig(at.configFile, { 'platforms.github.repositories': ['acme/ship'] });
      return { GITHUB_TOKEN: 'ghp_guest000000000000000000000000000002' };
    },
    text: /^acme\/ship does not exist, or the token has no access to it \(HTTP 404: Not Found\)$/,
    fix: /give the token the scope repo/,
  },
  'the token lacks a permission': {
    area: 'github',
    make: async (at) => {
      const narrow = 'github_pat_narrow0000000000000000000000002';
      at.gitHub.addToken({ token: narrow, login: 'robot', permissions: { issues: 'read' } });
      return { GITHUB_TOKEN: narrow };
    },
    text: /the token lacks issues: write \(HTTP 40[34]\)$/,
    fix: /Give the token issues: write/,
  },
};
