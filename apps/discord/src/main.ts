#!/usr/bin/env node
import { enableCompileCache } from 'node:module';

enableCompileCache();
const { runCommandLine } = await import('./cli/program.ts');
await runCommandLine(process.argv);
