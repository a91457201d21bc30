# docker build -t synclint https://github.com/synclint/synclint.git
# docker run --rm --network none -v "$PWD:/src:ro" synclint .
FROM python:3.13-slim AS build
COPY . /synclint
RUN pip install --root-user-action ignore --target /packages --require-hashes --only-binary :all: \
        --requirement /synclint/action-requirements.txt
RUN PYTHONPATH=/packages pip install --root-user-action ignore --target /packages \
        --no-index --no-deps --no-build-isolation /synclint

FROM python:3.13-slim
COPY --from=build /packages /packages
# -P: the checked repository is the working directory, and none of its files is a module here.
ENV PYTHONPATH=/packages PYTHONDONTWRITEBYTECODE=1 XDG_CACHE_HOME=/tmp
USER nobody
WORKDIR /src
ENTRYPOINT ["python", "-P", "-m", "synclint"]
