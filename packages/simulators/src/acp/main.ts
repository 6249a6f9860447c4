import { playOverStdio } from './scripted-agent.ts';

playOverStdio(process.argv.slice(2));
