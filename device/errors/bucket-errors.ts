import { exitCodes } from "../exit-codes.ts";

/** What keeps a project in a bucket from being used. */
export const bucketErrorKinds = {
  bucket_credentials: {
    exitCode: exitCodes.unusable,
    sentence:
      "No usable credentials were found for the bucket, or they have expired. Sign in (aws sso login), set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or link it with --profile; and check this machine's clock.",
  },
  bucket_denied: {
    exitCode: exitCodes.unusable,
    sentence:
      "The bucket refuses access. Its credentials need s3:ListBucket and s3:GetObject, and for --writable s3:PutObject and s3:DeleteObject.",
  },
  bucket_region: {
    exitCode: exitCodes.unusable,
    sentence: "The bucket is in another region than it was asked for in; link it again with --region.",
  },
  bucket_unreachable: {
    exitCode: exitCodes.unusable,
    sentence:
      "Nothing answers as S3 where the bucket should be; check the network, and the endpoint it is linked with.",
  },
  bucket_busy: {
    exitCode: exitCodes.unusable,
    sentence:
      "The bucket's service is busy or has a fault, also after several tries. What was read so far is kept; the next scan goes on from there.",
  },
} as const;
