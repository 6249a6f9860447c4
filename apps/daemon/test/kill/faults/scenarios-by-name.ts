import type { ForgeName } from '../../support/forge.ts';
import type { Targeted } from './targeted.ts';
import { damages, ends } from './targeted-ends.ts';
import { hearings } from './targeted-hearing.ts';
import { machines } from './targeted-machine.ts';
import { owners } from './targeted-owners.ts';
import { plans } from './targeted-plans.ts';
import { refusals } from './targeted-refusals.ts';
import { windows } from './targeted-windows.ts';

const all: readonly Targeted[] = [
  ...refusals,
  ...ends,
  ...windows,
  ...hearings,
  ...owners,
  ...damages,
  ...machines,
  ...plans,
];

/** Every targeted course, on every forge that it is meant for. */
export const targetedTrials: readonly { readonly targeted: Targeted; readonly forge: ForgeName }[] =
  all.flatMap((targeted) =>
    (targeted.forges ?? (['github', 'gitlab'] as const)).map((forge) => ({ targeted, forge })),
  );
