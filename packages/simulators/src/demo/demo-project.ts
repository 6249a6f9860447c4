/** The repository on the simulated forge: `owner/name`. */
export const demoRepository = {
  owner: 'corner-shop',
  name: 'price-list',
  path: 'corner-shop/price-list',
} as const;

/** The accounts: who owns the shop, who shops there, and whose token the daemon has. */
export const demoAccounts = {
  owner: 'corner-shop',
  reporter: 'mika',
  colleague: 'jonas',
  robot: 'shop-agent',
} as const;

/** The line at fault, and what it ought to be; `demoFiles` has the first. */
export const demoFault = {
  file: 'src/basket.js',
  test: 'test/basket.test.js',
  wrong: '  return takeOff(sum, percent);',
  right: '  return sum;',
} as const;

/**
 * What no file says: the till rounds once, on the sum, and not line by line. `basket` is what shows the difference of
 * one cent, with 10 % off.
 */
export const demoRounding = {
  perLine: 'total + takeOff(line.cents * line.quantity, percent), 0)',
  onSum: 'total + line.cents * line.quantity, 0)',
  basket: [
    { cents: 5, quantity: 1 },
    { cents: 5, quantity: 1 },
  ],
  total: 9,
  /** A test for it, and the one that it stands after. */
  test: `
test('rounds once, on the sum', () => {
  const roll = { cents: 5, quantity: 1 };
  assert.equal(totalOf([roll, roll], 10), 9);
});`,
  testBefore: `test('takes the discount off once', () => {
  assert.equal(totalOf([coffee], 10), 1800);
});`,
  /** The comment of the user who knows. */
  objection: 'Our till rounds once, on the sum: two rolls at 0.05 each come to 0.09 with 10% off.',
} as const;

/** A guess at what must never be guessed. */
export const demoGuess = 'cashier / 1234';

const basket = `/** Takes a percentage off an amount in cents, rounded to the nearest cent. */
export function takeOff(cents, percent) {
  return Math.round((cents * (100 - percent)) / 100);
}

/** What a basket costs, in cents, with a percentage off everything in it. */
export function totalOf(lines, percent = 0) {
  const sum = lines.reduce((total, line) => total + takeOff(line.cents * line.quantity, percent), 0);
${demoFault.wrong}
}
`;

const basketTest = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { takeOff, totalOf } from '../src/basket.js';

const coffee = { cents: 1000, quantity: 2 };

test('takes a percentage off, to the nearest cent', () => {
  assert.equal(takeOff(999, 10), 899);
});

test('adds up what is in the basket', () => {
  assert.equal(totalOf([coffee, { cents: 250, quantity: 1 }]), 2250);
});

${demoRounding.testBefore}
`;

const readme = `# price-list

What things cost at the corner shop. Amounts are in cents. \`node --test\` runs the tests.
`;

const agentNotes = `# For agents

- Run \`node --test\` before you finish; all of it has to pass.
- Change as little as the issue asks for.
`;

const manifest = `{
  "name": "price-list",
  "private": true,
  "type": "module",
  "scripts": { "test": "node --test" }
}
`;

/** A small Node project with one fault, which one of its tests shows. */
export const demoFiles: Readonly<Record<string, string>> = {
  'AGENTS.md': agentNotes,
  'README.md': readme,
  'package.json': manifest,
  [demoFault.file]: basket,
  [demoFault.test]: basketTest,
};

/** The issue that waits, and the comment of the colleague on it. */
export const demoIssue = {
  title: 'The discount is applied twice',
  labels: ['bug', 'coding agent'],
  body: `Two bags of coffee at 10.00 each come to 16.20 with the 10% discount. It should be 18.00.

The test in \`test/basket.test.js\` fails. Please find the cause and fix it.`,
  comment:
    'Same with 50%: the till charges a quarter of the price. The prices on the shelf are right, though.',
} as const;
