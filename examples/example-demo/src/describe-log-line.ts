import { demoRepository } from '@agent/simulators/demo/parts';

/** One line for each of these would hide the others, or say again what the notice on the issue says. */
const leftOut = /pre-planning event {2}|run index/;
const thread = new RegExp(`${demoRepository.path}[#!]\\d+ {2}`);

/**
 * A line of the daemon's log as the timeline shows it; null where it shows none. It has a clock of its own and is about
 * one task, whose steps are seen to follow each other: the time, the task's name and the number of the step are left out,
 * and a long call is cut.
 */
export function describeLogLine(line: string): string | null {
  if (leftOut.test(line)) return null;
  return line
    .replace(/^\d\d:\d\d:\d\d\s+/, '')
    .replace(thread, '')
    .replace(/^((?:warning|error) {2})?step \d+ {2}/, '$1')
    .replace(/ {2}call=(.{50}).+(?= {2}ms=)/, '  call=$1…')
    .replace(/(?: \(Task: [\w-]+\))? {2}taskUuid=\S+/, '');
}
