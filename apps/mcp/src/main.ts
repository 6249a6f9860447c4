#!/usr/bin/env node
import { enableCompileCache } from 'node:module';

enableCompileCache();
const { runCommandLine } = await import('./command-line.ts');
process.exitCode = await runCommandLine(process.argv, process.env);
