import { parseArgs } from 'node:util';
import { drawTrials } from './draw-trials.ts';
import { judgeTrial } from './judge-trial.ts';

const help = `npm run test:follow-up -- [change requests] [--seed n] [--only n] [--class name] [--calm] [--log]

Has that many runs (default 50) stay with the change request that they opened, on a simulated GitHub and a simulated GitLab, while checks
fail, people review, push by force and change the base, requests and answers get lost, and the process dies. A checker judges each from the
forge's own records. --only: the one of this number, --class: those of this class, --log: with all that was
logged, --calm: without faults and deaths.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    class: { type: 'string' },
    calm: { type: 'boolean', default: false },
    log: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(help);
  process.exit(0);
}
const count = Number(positionals[0] ?? 50);
const seed = Number(values.seed);
if (!Number.isSafeInteger(count) || !Number.isSafeInteger(seed) || count < 1) {
  console.error(help);
  process.exit(2);
}
let [played, broken] = [0, 0];
for (const [index, trial] of drawTrials({ count, seed, calm: values.calm }).entries()) {
  if (values.only !== undefined && Number(values.only) !== index) continue;
  if (values.class !== undefined && values.class !== trial.kind) continue;
  const { name, found, rounds, deaths, faults, log } = await judgeTrial(trial);
  played += 1;
  broken += found.length > 0 ? 1 : 0;
  console.log(
    `${index} ${found.length > 0 ? 'BROKEN' : 'holds'}: ${name} (rounds ${rounds}, deaths ${deaths}, faults ${faults})`,
  );
  for (const one of found) console.log(`  ${one}`);
  if (values.log || found.length > 0) console.log(log.slice(-60).join('\n'));
}
console.log(`${played} change requests, ${broken} broken (--seed ${seed})`);
process.exit(broken > 0 || played === 0 ? 1 : 0);
