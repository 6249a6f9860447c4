import type { DemoForge } from './demo-forge.ts';
import { describeRequest } from './describe-request.ts';
import type { Printer } from './printer.ts';

/** Prints what happens as it happens: what the daemon and the model say, and between it what reaches the forge. */
export interface Timeline {
  readonly daemonSays: (line: string) => void;
  readonly modelSays: (text: string) => void;
  /** Prints what reached the forge since the last line. */
  readonly catchUp: () => void;
}

export function createTimeline(
  printer: Printer,
  { name, requests }: Pick<DemoForge, 'name' | 'requests'>,
): Timeline {
  let shown = 0;
  const catchUp = () => {
    const deeds = requests().slice(shown).map(describeRequest);
    shown += deeds.length;
    for (const deed of deeds) if (deed !== null) printer.event(name, deed);
  };
  return {
    catchUp,
    daemonSays: (line) => {
      catchUp();
      // The timeline has a clock of its own.
      printer.event('daemon', line.replace(/^\d\d:\d\d:\d\d\s+/, ''));
    },
    modelSays: (text) => {
      catchUp();
      for (const line of text.split('\n')) if (line.trim() !== '') printer.event('model', `“${line}”`);
    },
  };
}
