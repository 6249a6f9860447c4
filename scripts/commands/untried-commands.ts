/**
 * The beginning of commands that documents show and no test runs, and the reason. Words in capitals stand for one word of
 * the reader's own; the value of a variable is left out.
 */
export type UntriedCommand = readonly [command: string, reason: string];

const takesLong =
  'takes minutes to hours: run by hand before a release, and tests play short ones of the same kind';
const changesCheckout = 'changes or only reads the checkout: tests call what it calls';
const benchmark = 'takes minutes: run by hand, each page of figures shows when';
const ownPlace = 'tests run the same program with options, directories or keys of their own';

/** Every command of the documents that neither a test nor the CI machine runs. */
export const untriedCommands: readonly UntriedCommand[] = [
  ['npm start -- --agent opencode', 'downloads 184 MB: a full test runs the same demonstration, by its file'],
  ['npm start -- --page', 'stays until Ctrl-C: run by hand'],
  ['npm start -- --keep', 'leaves a directory: run by hand'],
  ['curl --silent ADDRESS', ownPlace],
  ['node --test', 'the demonstration runs it in its own repository'],
  ['npm run picture', 'writes the picture of the README: a full test calls what it calls'],
  ['npm run simulators', 'serves until Ctrl-C: tests run the same program with ports of their own'],
  ['agent-simulators github', ownPlace],

  ['npm run prose', 'takes minutes: run by hand for the prose review'],
  ['npm run bench', benchmark],
  ['npm run bench:pure', benchmark],
  ['npm run trial', takesLong],
  ['npm run drill', takesLong],
  ['npm run test:release', takesLong],
  ['npm run release:rehearse', 'takes minutes and downloads runtimes: a stage of npm run test:release'],
  [
    'npm run bootstrap -- node --conditions=@agent/source trials/src/corpora/main.ts',
    'reads fetched copies of repositories: run by hand',
  ],

  [
    'node --conditions=@agent/source trials/src/real-model/serve.ts',
    'downloads 180 MB and serves until Ctrl-C',
  ],
  ['npm run test:unit', 'runs the tests themselves'],
  ['npm run test:quick', 'runs the tests themselves'],
  ['npm run test:affected', 'runs the tests themselves'],
  ['npm run format', changesCheckout],
  ['npm run changeset', changesCheckout],
  ['npm run requirements', changesCheckout],
  ['npm run house -- --write', changesCheckout],
  ['npm run house -- flows', changesCheckout],
  ['npm run docs', 'serves until Ctrl-C: `npm run docs -- build` is a stage of `npm run test:full`'],
  ['npm run bootstrap -- pnpm add PACKAGE', changesCheckout],
  ['npm view NAME@VERSION dist.integrity', 'needs the registry'],
  [
    'node --conditions=@agent/source file.ts',
    'a pattern: tests start every program of a checkout in this way',
  ],

  ['npm ci', 'tests install through the same gateway with other words'],
  ['npm run bootstrap -- pnpm --dir apps/daemon pack', 'tests pack the same package by their own function'],
  ['npm install --omit=dev', 'tests install the same packages from tarballs'],
  ['chown -R 1000 secrets', 'the machine of the tests has no Docker'],
  ['chmod -R u=rX,go= secrets', 'the machine of the tests has no Docker'],
  ['openssl rand -hex', 'the machine of the tests has no Docker'],
  ['docker compose up', 'the machine of the tests has no Docker'],
  ['pg_dump', 'the server of the tests comes without these programs'],
  ['pg_restore', 'the server of the tests comes without these programs'],
  ['psql', 'the server of the tests comes without these programs'],
  ['ssh-keygen', ownPlace],
  ['gpg', ownPlace],
];
