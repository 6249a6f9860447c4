/** A row a line; nothing of it was ever valid anywhere. Issued keys are put together, so that no scanner takes them for some. */
const rows = (text: string) => text.split('\n').filter((row) => row !== '');
const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJ';

/** Values that are such a thing, whatever they are called. */
export const forbiddenValues = {
  credentials: rows(`
${'ghp'}_0123456789abcdefghij
${'glpat'}-0123456789abcdefghij
${'sk'}-proj-0123456789abcdefghij
${'sk'}_live_${letters.slice(0, 24)}
${'SG'}.${letters.slice(0, 22)}.${letters.slice(3, 30)}
${'npm'}_${letters}
${'hf'}_${letters.slice(0, 34)}
${'xoxb'}-0123456789-abcdef
AKIAIOSFODNN7EXAMPLE
-----BEGIN RSA PRIVATE KEY-----
eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI
q9Zt4Lm2Xv8Kc1Bn7Hy3Rw6Pd5Fs
wJ8lrXUtnFEMI/K7MDENG/bPxR4iCYzK3mQ8vT2a
https://bot:pw@example.org/repo
Bearer abc
Basic dXNlcjpwYXNz
user=admin pass=x
user=admin&pass=x
pass=hunter
password field: hunter2
the password format is "hunter2"
パスワードの形式はhunter2
the user name is admin
username: admin
ユーザー名：admin
ユーザー名はadmin
docs/wJ8lrXUtnFEMIK7MDENGbPxR4iCYzK3.ts
feature/wJ8lrXUtnFEMIK7MDENGbPxR4iCYzK3
the password is "apple"`),
  database: rows(`
postgresql://db/app
postgres://app@db/prod
mongodb+srv://cluster0.example.net
Server=db;Database=app;
host=db port=5432 dbname=app`),
  environment: rows(`
10.0.0.7
2001:db8::1
::1
localhost:5432
db.internal.example.com
https://prod.example.com/api
https://docs.acme.internal
https://docs.google.com/document/1
db-1.acme.io
api.acme.dev
db.acme.internal
shop.acme.co.jp
http://localhost:3000
arn:aws:s3:eu-west-1:123456789012:bucket`),
  'personal-data': rows(`
mona@example.org
+81 90-1234-5678
090-1234-5678
09012345678
+819012345678
0312345678
(03)1234-5678
(555) 123-4567
4111111111111111
4111 1111 1111 1111
123456789018
1234 5678 9018
GB82 WEST 1234 5698 7654 32
〒150-0001
東京都渋谷区道玄坂1-2-3
大阪府大阪市北区梅田三丁目1番
12 Baker Street
378282246310005`),
  security: rows(`
arn:aws:iam::123456789012:role/deploy
管理者権限を全員に付与する`),
} as const;
