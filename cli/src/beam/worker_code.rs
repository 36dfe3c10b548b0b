//! What a worker needs, as a term that travels to other machines.

use erlang_term::{Atom, Term};

use super::loadable::Beam;
use super::process_model::{DeliveryModel, ProcessModel, TimeModel};
use super::worker::Worker;

impl Worker {
    /// All that another machine needs to make such a worker, but the code around the program.
    pub(crate) fn to_term(&self) -> Term {
        let beams = self.beams.iter().map(|beam| {
            let code = Term::binary(beam.code.clone());
            Term::Tuple(vec![Term::Atom(beam.name.clone()), code])
        });
        let names = self.own_names.iter().map(|(loaded_as, name)| {
            Term::Tuple(vec![
                Term::Atom(loaded_as.clone()),
                Term::Atom(name.clone()),
            ])
        });
        Term::Tuple(vec![
            Term::list(beams),
            self.followed.clone(),
            Term::list(self.aliases.clone()),
            Term::list(self.missing.iter().cloned().map(Term::Atom)),
            Term::list(self.makes_values.clone()),
            processes_to_term(self.processes),
            Term::list(names),
        ])
    }

    /// The worker that another machine described, with the command that tells where other code is.
    pub(crate) fn from_term(term: &Term, configuration: &Term) -> Option<Self> {
        let [
            beams,
            followed,
            aliases,
            missing,
            makes_values,
            processes,
            own_names,
        ] = term.as_tuple()?
        else {
            return None;
        };
        let beams = beams.as_list()?.iter().map(beam_from_term);
        let missing = missing.as_list()?.iter();
        let own_names = own_names.as_list()?.iter().map(|it| match it.as_tuple()? {
            [loaded_as, name] => Some((atom(loaded_as)?, atom(name)?)),
            _ => None,
        });
        let beams = beams.collect::<Option<_>>()?;
        let mut worker = Self::of_parts(followed.clone(), beams, configuration.clone());
        worker.aliases = aliases.as_list()?.first().cloned();
        worker.missing = missing.map(atom).collect::<Option<_>>()?;
        worker.makes_values = makes_values.as_list()?.first().cloned();
        worker.own_names = own_names.collect::<Option<_>>()?;
        Some(worker.with_processes(processes_from_term(processes)?))
    }
}

fn atom(term: &Term) -> Option<Atom> {
    term.as_atom().map(Atom::new)
}

fn beam_from_term(term: &Term) -> Option<Beam> {
    let [name, code] = term.as_tuple()? else {
        return None;
    };
    Some(Beam {
        name: atom(name)?,
        code: code.as_binary()?.to_vec(),
    })
}

fn processes_to_term(processes: ProcessModel) -> Term {
    let ProcessModel {
        is_controlled,
        max_steps,
        time,
        delivery,
        is_recorded,
        is_brief,
    } = processes;
    let flag = |value: bool| Term::atom(if value { "true" } else { "false" });
    Term::Tuple(vec![
        flag(is_controlled),
        Term::Integer(i64::from(max_steps).into()),
        Term::atom(time.name()),
        Term::atom(delivery.name()),
        flag(is_recorded),
        flag(is_brief),
    ])
}

fn processes_from_term(term: &Term) -> Option<ProcessModel> {
    let [
        is_controlled,
        max_steps,
        time,
        delivery,
        is_recorded,
        is_brief,
    ] = term.as_tuple()?
    else {
        return None;
    };
    let is = |term: &Term| term.as_atom() == Some("true");
    Some(ProcessModel {
        is_controlled: is(is_controlled),
        max_steps: u32::try_from(max_steps.as_i64()?).ok()?,
        time: [TimeModel::Quiet, TimeModel::Any]
            .into_iter()
            .find(|it| Some(it.name()) == time.as_atom())?,
        delivery: [DeliveryModel::Instant, DeliveryModel::Any]
            .into_iter()
            .find(|it| Some(it.name()) == delivery.as_atom())?,
        is_recorded: is(is_recorded),
        is_brief: is(is_brief),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_is_the_same_on_another_machine() {
        let beam = Beam {
            name: Atom::new("m"),
            code: vec![1, 2],
        };
        let worker = Worker::for_original_code(vec![beam], Term::atom("configuration"))
            .with_aliases(Term::list([Term::atom("alias")]))
            .without(vec![Atom::new("missing")])
            .with_processes(ProcessModel {
                time: TimeModel::Any,
                delivery: DeliveryModel::Any,
                max_steps: 7,
                ..ProcessModel::default()
            });
        let term = worker.to_term();
        let copy = Worker::from_term(&term, &Term::atom("configuration")).expect("it is a worker");
        assert_eq!(copy.to_term(), term);
        assert!(Worker::from_term(&Term::atom("x"), &term).is_none());
    }
}
