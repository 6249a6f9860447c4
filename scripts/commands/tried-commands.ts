/**
 * A command, the file that runs it, and the part of that file that does. Words in capitals stand for one word of the
 * reader's own; the value of a variable is left out.
 */
export type TriedCommand = readonly [command: string, file: string, does: string];

const cli = 'apps/daemon/src/cli/commands';
const stories = 'apps/daemon/test/e2e';
const demo = 'examples/example-demo/src/main.test.ts';

const daemon: readonly TriedCommand[] = [
  ['agent-daemon', `${stories}/command-line.test.ts`, "agentDaemon(['--help'])"],
  ['agent-daemon init', `${cli}/init.test.ts`, 'await init('],
  ['agent-daemon init --app NAME', `${cli}/init.test.ts`, 'app: '],
  ['agent-daemon init --app NAME --repository REPOSITORY --model MODEL', `${cli}/init.test.ts`, 'app: '],
  ['agent-daemon demo', 'scripts/pack/newcomer.test.ts', "'demo'"],
  ['agent-daemon doctor', `${cli}/doctor.test.ts`, 'await runDoctor('],
  ['agent-daemon labels', `${cli}/labels.test.ts`, 'labelsCommand('],
  ['agent-daemon run', `${stories}/walk.test.ts`, 'startDaemonProcess('],
  ['agent-daemon run --once', 'apps/daemon/test/support/daemon-process.ts', "'--once'"],
  ['agent-daemon run --thread TASK', `${stories}/one-thread.test.ts`, "['--thread', thread]"],
  ['agent-daemon run --observe', `${stories}/observe.test.ts`, "flags: ['--observe']"],
  ['agent-daemon run --observe --once', `${stories}/observe.test.ts`, "['--once', '--observe'"],
  ['agent-daemon run --observe --thread TASK', `${stories}/observe.test.ts`, "run('--observe', '--thread', "],
  ['agent-daemon history TASK --config FILE', `${stories}/observe.test.ts`, "read('history', "],
  ['agent-daemon show RUN --full --config FILE', `${stories}/observe.test.ts`, "read('show', id, '--full')"],
  ['agent-daemon job', 'apps/daemon/test/support/job-runner.ts', "['job', "],
  ['agent-daemon rehearse', 'apps/daemon/test/rehearse/rehearse-in-process.ts', "'rehearse', "],
  [
    'agent-daemon rehearse --repository REPOSITORY',
    'apps/daemon/test/rehearse/rehearse-in-process.ts',
    "'rehearse', ",
  ],
  [
    'agent-daemon rehearse --repository REPOSITORY --person-token-env NAME',
    'apps/daemon/test/rehearse/rehearse-in-process.ts',
    "'rehearse', ",
  ],
  ['agent-daemon rehearse --compare FILE', 'apps/daemon/test/rehearse/rehearse.test.ts', 'compareRehearsal('],
  ['agent-daemon run --role ROLE', `${stories}/many-processes.test.ts`, "'--role'"],
  ['agent-daemon status', `${stories}/walk.test.ts`, "command('status')"],
  ['agent-daemon status --state NAME --since AGE', `${stories}/retry.test.ts`, "'--since', age]"],
  ['agent-daemon show RUN', `${stories}/control.test.ts`, "'show',"],
  ['agent-daemon pause', `${stories}/walk.test.ts`, "command('pause')"],
  ['agent-daemon pause TASK', `${stories}/walk.test.ts`, "command('pause', task)"],
  ['agent-daemon resume', `${stories}/walk.test.ts`, "command('resume')"],
  ['agent-daemon resume TASK', `${stories}/walk.test.ts`, "command('resume', task)"],
  ['agent-daemon stop TASK', `${stories}/walk.test.ts`, "command('stop', "],
  ['agent-daemon retry TASK', `${stories}/retry.test.ts`, "'retry',"],
  ['agent-daemon settle TASK', `${stories}/outbox.test.ts`, "'settle',"],
  ['agent-daemon history TASK', `${cli}/past.test.ts`, 'historyCommand('],
  ['agent-daemon token NAME', `${cli}/token.test.ts`, "token({ name: 'alice' })"],
  ['agent-daemon token NAME --revoke', `${cli}/token.test.ts`, 'revoke: true'],
  ['agent-daemon export TASK', `${cli}/export.test.ts`, 'exportCommand('],
  ['agent-daemon accept NAME', `${stories}/moved-repository.test.ts`, "['accept', repository]"],
  ['agent-daemon audit --since 24h', `${cli}/audit.test.ts`, 'auditCommand('],
  ['agent-daemon budget', `${cli}/budget.test.ts`, 'budgetCommand('],
  ['agent-daemon budget TASK', `${cli}/budget.test.ts`, 'budgetCommand('],
  ['agent-daemon export --person alice', `${cli}/erase.test.ts`, "person: 'alice'"],
  ['agent-daemon export --person alice --output alice.json', `${cli}/erase.test.ts`, 'output: file'],
  ['agent-daemon erase --person alice', `${cli}/erase.test.ts`, 'eraseCommand('],
  ['agent-daemon purge TASK', `${cli}/past.test.ts`, "await purge('"],
  ['agent-daemon migrate', `${cli}/past.test.ts`, 'migrateCommand('],
  ['agent-daemon storage check', `${cli}/storage.test.ts`, "action: 'check'"],
  ['agent-daemon storage migrate --from KIND --to KIND', `${stories}/storage-migrate.test.ts`, "'--to', to"],
];

const otherPrograms: readonly TriedCommand[] = [
  ['agent-discord', 'apps/discord/test/command-line.test.ts', "describe('agent-discord', "],
  ['agent-discord rehearse', 'apps/discord/test/rehearse/in-a-process.test.ts', "['rehearse', "],
  ['agent-discord rehearse --channel ID', 'apps/discord/test/rehearse/in-a-process.test.ts', "'--channel', "],
  [
    'agent-discord rehearse --compare FILE',
    'apps/discord/test/rehearse/in-a-process.test.ts',
    "'--compare', ",
  ],
  ['agent-discord doctor', 'apps/discord/test/command-line.test.ts', "start(['doctor'])"],
  [
    'node --conditions=@agent/source apps/discord/src/main.ts',
    'apps/discord/test/bot/run-command-line.ts',
    '/src/main.ts',
  ],
  [
    'npm run bootstrap -- node --conditions=@agent/source apps/discord/src/main.ts',
    'apps/discord/test/bot/run-command-line.ts',
    '/src/main.ts',
  ],
  [
    'npm run bootstrap -- node --conditions=@agent/source apps/discord/src/main.ts doctor',
    'apps/discord/test/command-line.test.ts',
    "start(['doctor'])",
  ],
  ['node --conditions=@agent/source apps/mcp/src/main.ts', 'apps/mcp/test/server-bed.ts', '../src/main.ts'],
];

const guide = 'examples/example-demo/src/simulators-guide.test.ts';

const simulators: readonly TriedCommand[] = [
  ['agent-daemon doctor --config FILE', guide, 'commands.matchAll('],
  ['agent-daemon run --once --config FILE', guide, 'commands.matchAll('],
  ['agent-daemon status --config FILE', guide, 'commands.matchAll('],
];

const demonstration: readonly TriedCommand[] = [
  ['npm run example', 'scripts/examples/list-examples.test.ts', 'runExample()'],
  ['npm start', demo, 'runDemo([])'],
  ['npm start -- --gitlab', demo, "['--gitlab'"],
  ['npm start -- --review', demo, "runDemo(['--review', "],
  ['npm start -- --verbose', demo, "['--verbose']"],
  ['npm start -- --discord', 'examples/example-demo/src/main-variants.test.ts', "runDemo(['--discord'])"],
  [
    'LLM_BASE_URL= LLM_MODEL= npm start',
    'examples/example-demo/src/own-model.test.ts',
    'runDemo([], { env })',
  ],
  ['npm run example embed', 'examples/example-embed/src/play.test.ts', 'await play('],
  ['npm run example hearing', 'examples/example-hearing/src/play.test.ts', 'await play('],
  ['npm run example own-agent', 'examples/example-own-agent/src/play.test.ts', 'await play('],
  ['npm run example plan', 'examples/example-plan/src/play.test.ts', 'await play('],
  ['npm run example sqlite-store', 'examples/example-sqlite-store/src/play.test.ts', 'await play('],
];

const installing: readonly TriedCommand[] = [
  ['npm install PACKAGE', 'scripts/pack/pack.test.ts', 'await installAlone('],
  ['npm install PACKAGE PEER', 'scripts/pack/pack.test.ts', 'await installAlone('],
  [
    'npm run bootstrap -- pnpm --dir packages/text pack --pack-destination /tmp',
    'scripts/workspace/pack-package.ts',
    "['pack', '--json', '--pack-destination'",
  ],
];

const checkout: readonly TriedCommand[] = [
  ['npm run test:full', '.ci/run', 'npm run test:full'],
  // The same program, which takes more samples there.
  ['npm test', '.ci/run', 'npm run test:full'],
  ['npm run typecheck', 'scripts/check/stages.ts', "['tsc', '-p', 'tsconfig.packages.json']"],
  ['npm run build', 'scripts/check/stages.ts', "['turbo', 'run', 'build'"],
  // A part of `npm run test:full`, too.
  [
    'npm run bootstrap -- pnpm --dir packages/text test',
    'scripts/check/package-scripts.test.ts',
    "['pnpm', 'test']",
  ],
  ['npm run test:page', 'package.json', 'vitest run browser'],
  ['npm run imports', 'scripts/check/stages.ts', "['node', 'scripts/imports.ts']"],
  ['npm run house', 'scripts/house.test.ts', 'measureHouse('],
  ['npm run house -- --list', 'scripts/house/measures.test.ts', 'listProblems('],
];

/** Every command of the documents that a test or the CI machine runs. */
export const triedCommands: readonly TriedCommand[] = [
  ...daemon,
  ...otherPrograms,
  ...simulators,
  ...demonstration,
  ...installing,
  ...checkout,
];
