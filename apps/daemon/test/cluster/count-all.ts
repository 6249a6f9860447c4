import type { TrialVerdict } from '@agent/simulators/trials';
import type { ThreadEvidence } from './evidence.ts';
import type { HarmLog } from './harm-log.ts';
import { countFinals, type Finding, isGivenUp } from './judge.ts';

/** Everything that a trial has seen. */
interface Seen {
  readonly log: HarmLog;
  readonly left: readonly ThreadEvidence[];
  readonly broken: readonly Finding[];
}

/** Counts harms, comments and findings of a trial, and lists the times of its takeovers. */
export function countAll({ log, left, broken }: Seen): Required<Pick<TrialVerdict, 'counts' | 'times'>> {
  const sayings = left.flatMap((one) => one.sayings);
  const say = (isMeant: (saying: (typeof sayings)[number]) => boolean) => sayings.filter(isMeant).length;
  const find = (kind: Finding['kind']) => broken.filter((one) => one.kind === kind).length;
  const partitions = Object.entries(log.partitions);
  return {
    counts: {
      runs: left.reduce((total, { runs }) => total + runs.length, 0),
      'kills of workers': log.kills.work,
      'kills of pollers': log.kills.look,
      partitions: partitions.reduce((total, [, count]) => total + count, 0),
      ...Object.fromEntries(partitions.map(([way, count]) => [`  ${way}`, count])),
      zombies: log.zombies,
      '  whose late write was refused or not made': log.refused,
      'freezes of processes without a run': log.idleFreezes,
      'harms after the end of their thread': log.missed,
      'comments of people': say(({ command }) => command === null),
      '  changed': say(({ revisions }) => revisions.length > 1),
      '  deleted': say(({ deletedAt }) => deletedAt !== null),
      '/stop': say(({ command }) => command === 'stop'),
      '/pause': say(({ command }) => command === 'pause'),
      '/resume': say(({ command }) => command === 'resume'),
      'final comments': left.reduce((total, one) => total + countFinals(one), 0),
      'given up after three crashes in a row': left.filter(isGivenUp).length,
      lost: find('lost'),
      twice: find('twice'),
      'wrong otherwise': find('wrong'),
    },
    times: {
      'takeover after a kill': log.takeovers,
      '  until silence counted as a crash': log.waits.map(({ silence }) => silence),
      '  until a process had a place for it': log.waits.map(({ place }) => place),
      '  until that process had its record': log.waits.map(({ opening }) => opening),
      'takeover after a freeze': log.zombieTakeovers,
    },
  };
}
