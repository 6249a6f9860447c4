import type { DemoForge } from '@agent/simulators/demo';
import { demoAccounts, listHeadings } from '@agent/simulators/demo/parts';
import { describeLogLine } from './describe-log-line.ts';
import { describeRequest } from './describe-request.ts';
import type { Printer } from './printer.ts';

/** Prints what happens, as it happens. */
export interface Timeline {
  readonly daemonSays: (line: string) => void;
  readonly modelSays: (text: string) => void;
  readonly personSays: (who: 'mika' | 'ci', text: string) => void;
  /** Prints what reached the forge since the last line. */
  readonly catchUp: () => void;
}

/** Prints the daemon's log, what the model and users say, and the requests that reach the forge. */
export function createTimeline(
  printer: Printer,
  { name, requests, issue }: Pick<DemoForge, 'name' | 'requests' | 'issue'>,
): Timeline {
  let shown = 0;
  let comments = 0;
  const describe = (request: ReturnType<typeof requests>[number]): string | null => {
    const deed = describeRequest(request);
    if (deed !== `comments on #${issue().number}`) return deed;
    const heading = listHeadings(issue(), demoAccounts.robot)[comments];
    comments += 1;
    return heading === undefined ? deed : `${deed}: ${heading}`;
  };
  const catchUp = () => {
    const fresh = requests().slice(shown);
    const underWay = fresh.findIndex(({ status }) => status === 0);
    const done = underWay === -1 ? fresh : fresh.slice(0, underWay);
    shown += done.length;
    for (const deed of done.map(describe)) if (deed !== null) printer.event(name, deed);
  };
  const say = (who: 'model' | 'mika' | 'ci', text: string) => {
    catchUp();
    for (const line of text.split('\n')) if (line.trim() !== '') printer.event(who, `“${line}”`);
  };
  return {
    catchUp,
    daemonSays: (line) => {
      catchUp();
      const said = describeLogLine(line);
      if (said !== null) printer.event('daemon', said);
    },
    modelSays: (text) => say('model', text),
    personSays: say,
  };
}
