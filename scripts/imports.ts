// `npm run imports`: checks every import by the rules of `.dependency-cruiser.mjs`.
import { cruiseImports } from './imports/cruise-imports.ts';
import { formatViolation } from './imports/format-violation.ts';
import { repositoryRoot } from './workspace/root.ts';

const violations = await cruiseImports(repositoryRoot);
for (const violation of violations) console.error(formatViolation(violation));
console.log(`${violations.length} imports break a rule.`);
process.exitCode = violations.length > 0 ? 1 : 0;
