import { builtInNames, triggerNames } from '@agent/orchestrator/platforms/names';
import { Option } from 'commander';
import type { CliCommand } from './cli-command.ts';
import { runStates, runWithIo, runWithPrompt } from './command-io.ts';
import type { AcceptFlags } from './commands/accept.ts';
import type { AuditFlags } from './commands/audit.ts';
import type { BudgetFlags } from './commands/budget.ts';
import type { DoctorFlags } from './commands/doctor.ts';
import type { EraseFlags } from './commands/erase.ts';
import type { ExportFlags } from './commands/export.ts';
import type { HistoryFlags } from './commands/history.ts';
import type { InitFlags } from './commands/init.ts';
import type { LabelsFlags } from './commands/labels.ts';
import type { MigrateFlags } from './commands/migrate.ts';
import type { PurgeFlags } from './commands/purge.ts';
import type { RehearseFlags } from './commands/rehearse.ts';
import type { RunFlags } from './commands/run.ts';
import type { ShowFlags } from './commands/show.ts';
import type { StatusFlags } from './commands/status.ts';
import type { StorageFlags } from './commands/storage.ts';
import type { TokenFlags } from './commands/token.ts';
import { pause, resume, retry, settle, stop } from './control-commands.ts';
import { parseAge, parseCount, parseRole, roleNames } from './parse-option.ts';

const run: CliCommand<RunFlags> = {
  describe: (texts) => ({
    description: texts.run,
    options: [
      new Option('--once', texts.once).default(false),
      new Option('--thread <thread>', texts.thread),
      new Option('--observe', texts.observe),
      new Option('--role <role>', texts.role).choices(roleNames).default('both').argParser(parseRole),
      new Option('--no-live', texts.noLive),
      new Option('--log-format <format>', texts.logFormat)
        .choices(['auto', 'pretty', 'json'])
        .default('auto'),
      new Option('--hangup <effect>', texts.hangup).choices(['auto', 'reload', 'end']).default('auto'),
    ],
    examples: texts.runExamples,
  }),
  run: async (given) => (await import('./commands/run.ts')).runCommand(given),
};

const job: CliCommand = {
  describe: (texts) => ({
    description: texts.job,
    options: [
      new Option('--preset <name>', texts.jobPreset).choices(['openai', 'lmstudio', 'ollama']),
      new Option('--record <place>', texts.jobRecord).choices(['ref', 'none']).default('ref'),
      new Option('--time-limit <minutes>', texts.jobTimeLimit).argParser(parseCount).default(360),
    ],
    examples: texts.jobExamples,
  }),
  run: async (given) => (await import('./commands/job.ts')).jobCommand(given),
};

const status: CliCommand<StatusFlags> = {
  describe: (texts) => ({
    description: texts.status,
    options: [
      new Option('--json', texts.json),
      new Option('--state <name>', texts.onlyState).choices(runStates),
      new Option('--platform <name>', texts.onlyPlatform),
      new Option('--repository <name>', texts.onlyRepository),
      new Option('--task <task>', texts.onlyTask),
      new Option('--text <text>', texts.onlyText),
      new Option('--since <age>', texts.since).argParser(parseAge),
      new Option('--limit <count>', texts.limit).argParser(parseCount),
    ],
  }),
  run: (given) => runWithIo(async (io) => (await import('./commands/status.ts')).statusCommand(given, io)),
};

const show: CliCommand<ShowFlags> = {
  describe: (texts) => ({
    description: texts.show,
    argument: ['<run>', texts.showRun],
    options: [
      new Option('--full', texts.showFull),
      new Option('--errors', texts.showErrors),
      new Option('--json', texts.json),
    ],
  }),
  run: (given) => runWithIo(async (io) => (await import('./commands/show.ts')).showCommand(given, io)),
};

const history: CliCommand<HistoryFlags> = {
  describe: (texts) => ({
    description: texts.history,
    argument: ['<task>', texts.task],
    options: [new Option('--json', texts.json)],
  }),
  run: (given) => runWithIo(async (io) => (await import('./commands/history.ts')).historyCommand(given, io)),
};

const budget: CliCommand<BudgetFlags> = {
  describe: (texts) => ({
    description: texts.budget,
    argument: ['[task]', texts.budgetTask],
    options: [
      new Option('--json', texts.json),
      new Option('--set <amount>', texts.budgetSet),
      new Option('--clear', texts.budgetClear),
    ],
    examples: texts.budgetExamples,
  }),
  run: (given) => runWithIo(async (io) => (await import('./commands/budget.ts')).budgetCommand(given, io)),
};

const audit: CliCommand<AuditFlags> = {
  describe: (texts) => ({
    description: texts.audit,
    options: [
      new Option('--user <name>', texts.auditUser),
      new Option('--task <task>', texts.auditTask),
      new Option('--since <age>', texts.auditSince).argParser(parseAge),
      new Option('--limit <count>', texts.auditLimit).argParser(parseCount),
      new Option('--json', texts.json),
    ],
    examples: texts.auditExamples,
  }),
  run: (given) => runWithIo(async (io) => (await import('./commands/audit.ts')).auditCommand(given, io)),
};

const accept: CliCommand<AcceptFlags> = {
  describe: (texts) => ({ description: texts.accept, argument: ['<repository>', texts.acceptRepository] }),
  run: (given) => runWithIo(async (io) => (await import('./commands/accept.ts')).acceptCommand(given, io)),
};

const erase: CliCommand<EraseFlags> = {
  describe: (texts) => ({
    description: texts.erase,
    options: [
      new Option('--person <login>', texts.erasePerson).makeOptionMandatory(),
      new Option('--platform <name>', texts.personPlatform),
      new Option('--yes', texts.purgeYes),
    ],
    examples: texts.eraseExamples,
  }),
  run: (given) =>
    runWithPrompt(async (parts) => (await import('./commands/erase.ts')).eraseCommand(given, parts)),
};

const purge: CliCommand<PurgeFlags> = {
  describe: (texts) => ({
    description: texts.purge,
    argument: ['<task>', texts.task],
    options: [new Option('--yes', texts.purgeYes)],
    examples: texts.purgeExamples,
  }),
  run: (given) =>
    runWithPrompt(async (parts) => (await import('./commands/purge.ts')).purgeCommand(given, parts)),
};

const migrate: CliCommand<Partial<MigrateFlags> & Pick<MigrateFlags, 'config'>> = {
  describe: (texts) => ({
    description: texts.migrate,
    argument: ['[directory]', texts.migrateDirectory],
    options: [new Option('--apply', texts.migrateApply)],
    examples: texts.migrateExamples,
  }),
  run: ({ directory = null, ...given }) =>
    runWithIo(async (io) =>
      (await import('./commands/migrate.ts')).migrateCommand({ ...given, directory }, io),
    ),
};

const storage: CliCommand<StorageFlags> = {
  describe: (texts) => ({
    description: texts.storage,
    argument: ['<action>', texts.storageAction],
    options: ['from', 'to'].map((side) =>
      new Option(`--${side} <place>`, texts.storagePlace).choices(['files', 'postgres']),
    ),
    examples: texts.storageExamples,
  }),
  run: (given) => runWithIo(async (io) => (await import('./commands/storage.ts')).storageCommand(given, io)),
};

const token: CliCommand<TokenFlags> = {
  describe: (texts) => ({
    description: texts.token,
    argument: ['[name]', texts.tokenName],
    options: [
      new Option('--days <days>', texts.tokenDays).default('90'),
      new Option('--list', texts.tokenList),
      new Option('--revoke', texts.tokenRevoke),
    ],
  }),
  run: (given) => runWithIo(async (io) => (await import('./commands/token.ts')).tokenCommand(given, io)),
};

const exportData: CliCommand<ExportFlags> = {
  describe: (texts) => ({
    description: texts.export,
    argument: ['[task]', texts.task],
    options: [
      new Option('--person <login>', texts.exportPerson),
      new Option('--platform <name>', texts.personPlatform),
      new Option('--output <file>', texts.exportOutput),
    ],
    examples: texts.exportExamples,
  }),
  run: (given) => runWithIo(async (io) => (await import('./commands/export.ts')).exportCommand(given, io)),
};

const demo: CliCommand = {
  describe: (texts) => ({
    description: texts.demo,
    options: [new Option('--verbose', texts.demoVerbose).default(false)],
  }),
  run: (flags) => runWithIo(async (io) => (await import('./commands/demo.ts')).demoCommand(flags, io)),
};

const rehearse: CliCommand<RehearseFlags> = {
  describe: (texts) => ({
    description: texts.rehearse,
    options: [
      new Option('--repository <name>', texts.rehearseRepository),
      new Option('--compare <file>', texts.rehearseCompare),
      new Option('--platform <name>', texts.rehearsePlatform).choices([...builtInNames]),
      new Option('--person-token-env <name>', texts.rehearsePerson),
      ...[new Option('--keep', texts.rehearseKeep), new Option('--observe').hideHelp()],
      new Option('--output <directory>', texts.rehearseOutput),
      new Option('--yes <name>', texts.rehearseYes),
    ],
    examples: texts.rehearseExamples,
  }),
  run: (given) => runWithIo(async (io) => (await import('./commands/rehearse.ts')).runRehearse(given, io)),
};

const doctor: CliCommand<DoctorFlags> = {
  describe: (texts) => ({
    description: texts.doctor,
    options: [new Option('--no-model', texts.noModel), new Option('--json', texts.json)],
    examples: texts.doctorExamples,
  }),
  run: (given) => runWithIo(async (io) => (await import('./commands/doctor.ts')).doctorCommand(given, io)),
};

const labels: CliCommand<LabelsFlags> = {
  describe: (texts) => ({
    description: texts.labels,
    options: [new Option('--dry-run', texts.labelsDryRun)],
    examples: texts.labelsExamples,
  }),
  run: (given) => runWithIo(async (io) => (await import('./commands/labels.ts')).labelsCommand(given, io)),
};

const init: CliCommand<InitFlags> = {
  describe: (texts) => ({
    description: texts.init,
    options: [
      new Option('--platform <name>', texts.initPlatform).choices([...builtInNames]),
      new Option('--repository <paths>', texts.initRepository),
      new Option('--trigger <way>', texts.initTrigger).choices([...triggerNames]),
      new Option('--base-url <url>', texts.initBaseUrl),
      new Option('--llm-preset <name>', texts.initPreset).choices(['openai', 'lmstudio', 'ollama']),
      new Option('--llm-base-url <url>', texts.initLlmUrl),
      new Option('--model <name>', texts.initModel),
      new Option('--api <name>', texts.initApi).choices(['responses', 'chat']),
      new Option('--app <name>', texts.initApp),
      new Option('--app-workflows', texts.initAppWorkflows),
      new Option('--create-labels', texts.initCreateLabels),
      new Option('--force', texts.initForce),
      new Option('--yes', texts.initYes),
    ],
    examples: texts.initExamples,
  }),
  run: (given) =>
    runWithPrompt(async (parts) => (await import('./commands/init.ts')).initCommand(given, parts)),
};

/** Commands in the order of `--help`. A command's module loads only when the command runs. */
export const commands: Readonly<Record<string, CliCommand>> = {
  run,
  pause,
  resume,
  stop,
  retry,
  settle,
  status,
  show,
  history,
  budget,
  audit,
  accept,
  token,
  export: exportData,
  erase,
  purge,
  migrate,
  storage,
  doctor,
  rehearse,
  labels,
  init,
  job,
  demo,
};
